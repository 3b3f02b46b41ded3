import { MarkethookError } from "@markethook/protocol";
import { connectWithoutClock } from "./sqlite/connection.ts";
import { MIGRATIONS } from "./sqlite/migrations/index.ts";
import { readShape } from "./sqlite/read-shape.ts";

/** Names of the parts of a database: `table webhooks`, `column webhooks.url`, `index webhooks_by_owner`. */
export type Shape = ReadonlySet<string>;

/** Ends the name of an index that PostgreSQL does not use, as after an interrupted `create index concurrently`. */
export const INVALID = " (invalid)";

/** How many parts the sentence names; more would not make it clearer. */
const NAMED = 3;
/** SQLite has a table instead of PostgreSQL's sequences, and a separate table for new keys. */
const OF_SQLITE = /^(?:table|column) (?:counters|new_keys)\b/;

/**
 * Returns the parts of a database with the first `applied` migrations, on either engine, because both are made alike.
 * SQLite makes them in memory within milliseconds.
 */
export function expectedShape(applied: number): Shape {
  const db = connectWithoutClock(":memory:");
  try {
    for (const { sql } of MIGRATIONS.slice(0, applied)) db.exec(sql);
    return new Set([...readShape(db)].filter((part) => !OF_SQLITE.test(part)));
  } finally {
    db.close();
  }
}

/** Columns of all tables that both databases have. */
export function tableColumns(): Map<string, string[]> {
  const tables = new Map<string, string[]>();
  for (const part of expectedShape(MIGRATIONS.length)) {
    const [, table, column] = /^column ([^.]+)\.(.+)$/.exec(part) ?? [];
    if (table === undefined || column === undefined) continue;
    tables.set(table, [...(tables.get(table) ?? []), column]);
  }
  return tables;
}

/** A table that no other program has, in every version. */
const OURS = "table webhook_health";

/** Returns missing parts of a database with this many migrations, the tables first. An invalid index says how to repair it. */
export function missingParts(applied: number, actual: Shape): string[] {
  if (applied === 0) return actual.has(OURS) ? ["the number of its schema"] : [];
  if (applied > MIGRATIONS.length) return [];
  const missing = [...expectedShape(applied)].filter((part) => !actual.has(part)).sort();
  const isTable = (part: string): boolean => part.startsWith("table ");
  const tables = missing.filter(isTable);
  // The columns of a missing table need not be named.
  const columns = tables.map((table) => `${table.replace("table", "column")}.`);
  const isNamed = (part: string): boolean => columns.every((start) => !part.startsWith(start));
  const others = missing.filter((part) => !isTable(part) && isNamed(part));
  const named = (part: string): string =>
    actual.has(part + INVALID) ? `${part} (it is invalid: reindex ${part})` : part;
  return [...tables, ...others.map(named)];
}

/** A table that only versions before the first release had. */
const UNRELEASED = "table live";

/**
 * Called at each start, before pending migrations are applied. A database of an unreleased version counts migrations with
 * other content. One that lacks a part, as after a restore that was cut short, would fail in the middle of the upgrade, or
 * store without its unique indexes.
 */
export function checkShape(applied: number, actual: Shape): void {
  if (actual.has(UNRELEASED)) {
    throw new MarkethookError("schema_unknown", {
      detail: `The database has schema ${applied}, with tables of an unreleased version. It was left as it is.`,
    });
  }
  const missing = missingParts(applied, actual);
  if (missing.length === 0) return;
  throw new MarkethookError("schema_unknown", {
    detail: `The database has schema ${applied}, but ${lacking(missing)}: an unreleased version made it, a restore was cut short, or somebody removed them. It was left as it is.`,
  });
}

/** For the end of a sentence. */
export function lacking(missing: readonly string[]): string {
  const named = missing.slice(0, NAMED).join(", ");
  const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more parts` : "";
  return `lacks ${named}${more}`;
}
