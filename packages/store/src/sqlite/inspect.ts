import { existsSync } from "node:fs";
import { join } from "node:path";
import { missingParts } from "../expected-shape.ts";
import { instanceOf, keyIdIn, nullableText } from "../hot/rows.ts";
import type { SqliteInspection } from "../port/inspection.ts";
import { type Connection, openForLook } from "./connection.ts";
import { DATABASE_FILE } from "./folder-lock.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { readShape, storedVersion } from "./read-shape.ts";

/** Inspects the database in the folder, also while a service runs. Null: there is none. */
export async function inspectSqlite(folder: string): Promise<SqliteInspection | null> {
  const path = join(folder, DATABASE_FILE);
  if (!existsSync(path)) return null;
  const db = openForLook(path);
  try {
    const applied = storedVersion(db);
    const known = MIGRATIONS.length;
    const empty = {
      encryptedBy: null,
      secretsEncryptedBy: {},
      firstKeyHash: null,
      settings: null,
      instances: [],
      latestAt: 0,
      noNumbers: [],
    };
    const missing = missingParts(applied, readShape(db));
    // Nothing can be read of a table that is not there.
    if (applied === 0 || missing.length > 0) return { applied, known, ...empty, missing };
    const firstKey = db.get("select hash from api_keys order by created_at, id limit 1");
    const encrypts = db.all(
      "select substr(secret, 4, 8) as id, count(*) as count from webhooks where deleted_at is null group by 1",
    );
    return {
      applied,
      known,
      missing,
      encryptedBy: keyIdIn(db.get("select value from meta where key = 'dedupe_secret'")?.["value"]),
      secretsEncryptedBy: Object.fromEntries(
        encrypts.map((row) => [String(row["id"]), Number(row["count"])]),
      ),
      firstKeyHash: nullableText(firstKey?.["hash"]),
      settings: nullableText(db.get("select value from meta where key = 'settings'")?.["value"]),
      instances: db.all("select * from instances order by instance_no").map(instanceOf),
      latestAt: Number(db.get("select value from counters where name = 'clock'")?.["value"] ?? 0),
      noNumbers: findNoNumbers(db),
    };
  } finally {
    db.close();
  }
}

/** The newest rows of each table. */
const EXAMINED = 20_000;
const NAMED = 10;

/** SQLite keeps any value in any column. */
function findNoNumbers(db: Connection): string[] {
  const found: string[] = [];
  const tables = db.all("select name from sqlite_schema where type = 'table' order by name");
  for (const table of tables.map(({ name }) => String(name))) {
    const columns = db.all("select name, type, pk from pragma_table_info(?)", table);
    const keys = columns.filter(({ pk }) => pk !== 0).map(({ name }) => String(name));
    const numbers = columns
      .filter(({ type }) => type === "INTEGER")
      .map(({ name }) => String(name));
    if (numbers.length === 0) continue;
    const key = keys.length === 0 ? ["rowid"] : keys;
    const isNone = (name: string): string => `typeof("${name}") in ('text', 'blob')`;
    const rows = db.all(
      `select * from (select ${key.join(", ")}, ${numbers.join(", ")} from ${table} order by ${key.map((name) => `${name} desc`).join(", ")} limit ${EXAMINED})
       where ${numbers.map(isNone).join(" or ")} limit ${NAMED}`,
    );
    for (const row of rows) {
      const at = key.map((name) => `${name} ${String(row[name])}`).join(", ");
      const odd = numbers.filter((name) => row[name] !== null && typeof row[name] !== "number");
      for (const name of odd) found.push(`${table}.${name} (${at})`);
    }
  }
  return found.slice(0, NAMED);
}
