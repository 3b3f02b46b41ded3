import { existsSync } from "node:fs";
import { join } from "node:path";
import { missingParts } from "../expected-shape.ts";
import { instanceOf, keyIdIn } from "../hot/rows.ts";
import type { SqliteInspection } from "../port/inspection.ts";
import { Connection } from "./connection.ts";
import { DATABASE_FILE } from "./folder-lock.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { readShape } from "./read-shape.ts";

/** Inspects the database in the folder, also while a service runs. Null: there is none. */
export async function inspectSqlite(folder: string): Promise<SqliteInspection | null> {
  const path = join(folder, DATABASE_FILE);
  if (!existsSync(path)) return null;
  const db = new Connection(
    path,
    () => 0,
    () => 0,
    { clockBase: 0 },
  );
  try {
    const applied = Number(db.get("pragma user_version")?.["user_version"] ?? 0);
    const known = MIGRATIONS.length;
    const empty = {
      missing: [],
      encryptedBy: null,
      secretsEncryptedBy: {},
      instances: [],
      latestAt: 0,
    };
    if (applied === 0) return { applied, known, ...empty };
    const encrypts = db.all(
      "select substr(secret, 4, 8) as id, count(*) as count from webhooks where deleted_at is null group by 1",
    );
    return {
      applied,
      known,
      missing: missingParts(applied, readShape(db)),
      encryptedBy: keyIdIn(db.get("select value from meta where key = 'dedupe_secret'")?.["value"]),
      secretsEncryptedBy: Object.fromEntries(
        encrypts.map((row) => [String(row["id"]), Number(row["count"])]),
      ),
      instances: db.all("select * from instances order by instance_no").map(instanceOf),
      latestAt: Number(db.get("select value from counters where name = 'clock'")?.["value"] ?? 0),
    };
  } finally {
    db.close();
  }
}
