import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import type { MoveOptions } from "../move/move-to-postgres.ts";
import { tableColumns } from "../expected-shape.ts";
import { openSqlite } from "../sqlite/open.ts";
import { TEST_OPTIONS } from "../sqlite/open-harness.ts";
import { type Filled, fillEveryTable } from "./fill-every-table.ts";
import { createTestDatabase, execute } from "./postgres-server.ts";
import { inFolder } from "./temporary-folder.ts";

export const TO = "PostgreSQL at db.example/markethook";

export interface Pair {
  folder: string;
  url: string;
  options: MoveOptions;
  sqlite(sql: string): Record<string, unknown>[];
  postgres(sql: string): Promise<Record<string, unknown>[]>;
}

export function pairTest(title: string, work: (pair: Pair, t: TestContext) => Promise<void>): void {
  test(title, async (t) => {
    await inFolder(async (folder) => {
      const { url, drop } = await createTestDatabase();
      const options = {
        folder,
        url,
        to: TO,
        masterKeys: TEST_OPTIONS.masterKeys,
        now: () => "2026-01-02T03:04:05.000Z",
        onRows: () => undefined,
      };
      try {
        await work(
          {
            folder,
            url,
            options,
            sqlite: (sql) => inSqlite(folder, sql),
            postgres: async (sql) => await execute(url, sql),
          },
          t,
        );
      } finally {
        await drop();
      }
    })();
  });
}

function inSqlite(folder: string, sql: string): Record<string, unknown>[] {
  const db = new DatabaseSync(join(folder, "markethook.sqlite"));
  try {
    const statement = db.prepare(sql);
    statement.setReadBigInts(true);
    return statement.all();
  } finally {
    db.close();
  }
}

export async function fill(folder: string): Promise<Filled> {
  const store = await openSqlite({ ...TEST_OPTIONS, folder });
  try {
    return await fillEveryTable(store);
  } finally {
    await store.close();
  }
}

/** All of a table, each row as one text, in one order. */
function comparable(rows: readonly Record<string, unknown>[]): string[] {
  const shown = (value: unknown): string =>
    value instanceof Uint8Array ? Buffer.from(value).toString("hex") : String(value);
  return rows
    .map((row) =>
      Object.keys(row)
        .sort()
        .map((name) => `${name}=${shown(row[name])}`)
        .join("|"),
    )
    .sort();
}

const KEYS_IN_SQLITE = `select * from idempotency_keys union
  select (select max(no) from key_generations), key, body_hash, event_seq, tag from new_keys`;

/** Of both databases, by table. */
export async function everything({ sqlite, postgres }: Pick<Pair, "sqlite" | "postgres">) {
  const both = { sqlite: {} as Record<string, string[]>, postgres: {} as Record<string, string[]> };
  for (const name of tableColumns().keys()) {
    const read = name === "idempotency_keys" ? KEYS_IN_SQLITE : `select * from ${name}`;
    both.sqlite[name] = comparable(sqlite(read));
    both.postgres[name] = comparable(await postgres(`select * from ${name}`));
  }
  return both;
}
