import type { ClientBase } from "pg";
import { MarkethookError } from "@markethook/protocol";
import { DatabaseError } from "pg";
import { tableColumns } from "../expected-shape.ts";
import { storeError } from "./connection.ts";

/** No right, and no schema that this user may use. */
const REFUSALS = new Set(["42501", "3F000"]);

const NUMBERS = ["mh_instances", "mh_numbers", "notices_no_seq"];

/** Where the tables are, which is on the search path, or else where they would be made. */
export const SCHEMA = `coalesce(
  (select relnamespace from pg_class where oid = to_regclass('schema_version')),
  to_regnamespace(quote_ident(current_schema()))
)`;

const RIGHTS = `select
  coalesce(has_schema_privilege(current_schema(), 'create'), false) as creates,
  array(
    select relname::text from pg_class
    where relnamespace = ${SCHEMA} and case
      when relkind = 'r' and relname = any($1) then not (
        has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
        and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete')
      )
      when relkind = 'r' and relname = 'schema_version' then not has_table_privilege(oid, 'select')
      when relkind = 'S' and relname = any($2) then not has_sequence_privilege(oid, 'usage')
      else false
    end
    order by relname
  ) as closed`;

export interface Rights {
  /** True if this user may make tables. */
  creates: boolean;
  /** Tables and sequences that this user may not use. */
  closed: string[];
}

export async function readRights(client: Pick<ClientBase, "query">): Promise<Rights> {
  // The service writes to all of them.
  const tables = [...tableColumns().keys()];
  const { rows } = await client.query<Rights>(RIGHTS, [tables, NUMBERS]);
  return rows[0] ?? { creates: false, closed: [] };
}

/** @throws `database_rights_missing`, so that a service does not start and then fail at its first write. */
export async function requireRights(client: Pick<ClientBase, "query">): Promise<void> {
  const { closed } = await readRights(client);
  if (closed.length > 0) {
    throw new MarkethookError("database_rights_missing", { detail: closedSentence(closed) });
  }
}

export function closedSentence(closed: readonly string[]): string {
  const more = closed.length > 3 ? ` and ${closed.length - 3} more` : "";
  return `The database's user may not use ${closed.slice(0, 3).join(", ")}${more}.`;
}

/** For failures at the start: another try does not help against a right that is missing. */
export function startError(error: unknown): Error {
  const cause = error instanceof MarkethookError ? error.detail.cause : error;
  if (cause instanceof DatabaseError && REFUSALS.has(cause.code ?? "")) {
    const detail = `PostgreSQL: ${cause.message}.`;
    return new MarkethookError("database_rights_missing", { detail, cause });
  }
  return storeError(error);
}
