import { type Client, DatabaseError } from "pg";
import { MarkethookError } from "@markethook/protocol";
import { type Cell, type MovedTable, notMovable, rowName } from "../move/moved-tables.ts";
import { bigintArray, bytesArray } from "./binary-array.ts";
import { wasRefused } from "./connection.ts";
import { checkSchemaVersion } from "../schema-version.ts";
import { storedVersion } from "./direct-client.ts";
import { MIGRATION_LOCK } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { BEGIN_LONG } from "./session-settings.ts";

/** Migrations add one row to each of these. */
const MADE_WITH_A_ROW: ReadonlySet<string> = new Set([
  "audit_head",
  "key_generations",
  "unclean_end",
]);

/** A value that a column does not take, a row that breaks a rule of its table, and a text that is too long for an index. */
const OF_A_ROW = /^(?:22|23|54)/;

const TYPES = { number: "bigint", text: "text", bytes: "bytea" } as const;

/** The database that takes what a move brings, in one transaction. */
export class MoveTarget {
  readonly #client: Client;
  readonly #tables: readonly MovedTable[];

  constructor(client: Client, tables: readonly MovedTable[]) {
    this.#client = client;
    this.#tables = tables;
  }

  /**
   * Begins. Services that start now wait until the end.
   * @param dedupeSecret the service's own key, encrypted, if these data may be here already: it tells
   * @returns "same" if they are
   * @throws `database_not_empty`, `schema_newer`
   */
  async begin(dedupeSecret: string | null): Promise<"empty" | "same"> {
    await this.#client.query(BEGIN_LONG);
    // Before any lock, because services may run there.
    if ((await this.#look(dedupeSecret)) === "same") return "same";
    await this.#client.query("select pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    // A newer version may have been here since the tables were made.
    checkSchemaVersion((await storedVersion(this.#client)) ?? 0, MIGRATIONS.length);
    const names = this.#tables.map(({ name }) => name);
    await this.#client.query(`lock table ${names.join(", ")} in exclusive mode`);
    await this.#look(dedupeSecret);
    await this.#clear();
    return "empty";
  }

  /** @throws `row_not_movable` */
  async insert(table: MovedTable, rows: readonly Cell[][]): Promise<void> {
    try {
      await this.#insert(table, rows);
    } catch (error) {
      if (!isOfRow(error)) throw error;
      throw await this.#blame(table, rows, error);
    }
  }

  async count({ name }: MovedTable): Promise<number> {
    const { rows } = await this.#client.query(`select count(*) as count from ${name}`);
    return Number(rows[0]?.["count"]);
  }

  /** New numbers come after these. Where none was given out, the first one is 1. */
  async setNumbers(numbers: {
    number: number;
    instance: number;
    byTable: ReadonlyMap<string, number>;
  }): Promise<void> {
    const identities = await this.#client.query<{ name: string; sequence: string }>(
      `select relname as name, pg_get_serial_sequence(attrelid::regclass::text, attname) as sequence
       from pg_attribute join pg_class on pg_class.oid = attrelid
       where attidentity <> '' and attrelid = any(array(select to_regclass(name) from unnest($1::text[]) as name))`,
      [this.#tables.map(({ name }) => name)],
    );
    const sequences: [string, number][] = [
      ["mh_numbers", numbers.number],
      ["mh_instances", numbers.instance],
      ...identities.rows.map(({ name, sequence }): [string, number] => [
        sequence,
        numbers.byTable.get(name) ?? 0,
      ]),
    ];
    for (const [sequence, last] of sequences) {
      if (last > 0) await this.#client.query("select setval($1::regclass, $2)", [sequence, last]);
    }
  }

  /** The first plans are made from these statistics. */
  async analyze(): Promise<void> {
    await this.#client.query(`analyze ${this.#tables.map(({ name }) => name).join(", ")}`);
  }

  /**
   * @returns why all of it was undone; `undone` null: it is stored
   * @throws `outcome_unknown`
   */
  async commit(): Promise<{ undone: Error | null }> {
    try {
      const { command } = await this.#client.query("commit");
      return { undone: command === "COMMIT" ? null : new Error("the transaction was rolled back") };
    } catch (cause) {
      if (cause instanceof Error && wasRefused(cause)) return { undone: cause };
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new MarkethookError("outcome_unknown", {
        detail: `PostgreSQL: ${why}. The data are there or not: run the command again, which finds out. Until then the folder does not start.`,
        cause,
      });
    }
  }

  async #look(dedupeSecret: string | null): Promise<"empty" | "same"> {
    const names = this.#tables.map(({ name }) => name).filter((name) => !MADE_WITH_A_ROW.has(name));
    const asked = names.map(
      (name) => `select '${name}' as name where exists (select from ${name})`,
    );
    const { rows: filled } = await this.#client.query<{ name: string }>(asked.join(" union all "));
    if (filled.length === 0) return "empty";
    const { rows } = await this.#client.query("select value from meta where key = 'dedupe_secret'");
    if (dedupeSecret !== null && rows[0]?.["value"] === dedupeSecret) return "same";
    const named = filled.slice(0, 3).map(({ name }) => name);
    const more =
      filled.length > named.length ? ` and ${filled.length - named.length} more tables` : "";
    throw new MarkethookError("database_not_empty", {
      detail: `The PostgreSQL database has rows in ${named.join(", ")}${more}.`,
    });
  }

  /** Also frees the space of an interrupted run. Rows of the audit log cannot be deleted, not even if there are none. */
  async #clear(): Promise<void> {
    const names = this.#tables.map(({ name }) => name).filter((name) => name !== "audit");
    await this.#client.query(`truncate ${names.join(", ")}`);
  }

  async #insert({ name, columns }: MovedTable, rows: readonly Cell[][]): Promise<void> {
    const values = columns.map(({ kind }, at) => {
      const cells = rows.map((row) => row[at] ?? null);
      // The source checks their kinds.
      return kind === "number"
        ? bigintArray(cells as (bigint | null)[])
        : bytesArray(TYPES[kind], cells as (Uint8Array | null)[]);
    });
    const unnested = columns.map(({ kind }, at) => `unnest($${at + 1}::${TYPES[kind]}[])`);
    await this.#client.query(
      `insert into ${name} (${columns.map((column) => column.name).join(", ")}) select ${unnested.join(", ")}`,
      values,
    );
  }

  /** Undoes everything, and finds the row by halves. */
  async #blame(
    table: MovedTable,
    rows: readonly Cell[][],
    first: DatabaseError,
  ): Promise<MarkethookError> {
    const client = this.#client;
    await client.query("rollback");
    await client.query(BEGIN_LONG);
    await this.#clear();
    const fault = async (part: readonly Cell[][]): Promise<DatabaseError | null> => {
      await client.query("savepoint part");
      try {
        await this.#insert(table, part);
        return null;
      } catch (error) {
        if (!isOfRow(error)) throw error;
        return error;
      } finally {
        await client.query("rollback to part");
      }
    };
    let suspects = rows;
    while (suspects.length > 1) {
      const half = suspects.slice(0, suspects.length >>> 1);
      suspects = (await fault(half)) === null ? suspects.slice(half.length) : half;
    }
    const [row = []] = suspects;
    const error = await fault(suspects);
    if (error !== null) return notMovable(table, row, `PostgreSQL: ${error.message}`);
    // It is refused because of another row, as one with the same key.
    const ends = [rows[0] ?? [], rows.at(-1) ?? []].map((one) => rowName(table, one));
    return notMovable(table, row, `PostgreSQL: ${first.message}, between ${ends.join(" and ")}`);
  }
}

function isOfRow(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && OF_A_ROW.test(error.code ?? "");
}
