import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Harness } from "../conformance/harness.ts";
import type { Row } from "./connection.ts";
import { openSqlite } from "./open.ts";
import { readAll } from "./read-rows.ts";

export const TEST_OPTIONS = {
  baseUrl: "https://market.example",
  masterKeys: [new Uint8Array(32).fill(7)],
} as const;

/** For tests: a store in a temporary folder of its own. */
export async function openSqliteHarness(): Promise<Harness> {
  const folder = mkdtempSync(join(tmpdir(), "markethook-sqlite-"));
  let store = await openSqlite({ ...TEST_OPTIONS, folder });
  const reader = new DatabaseSync(join(folder, "markethook.sqlite"), { readOnly: true });
  return {
    get store() {
      return store;
    },
    advance: async (ms) => await store.advanceClock(ms),
    async reopen() {
      await store.close();
      store = await openSqlite({ ...TEST_OPTIONS, folder });
      return store;
    },
    openAnother: null,
    tables: async () =>
      reader
        .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
        .all()
        .map((row) => String(row["name"])),
    async tamper(sql) {
      const db = new DatabaseSync(join(folder, "markethook.sqlite"));
      db.exec(sql);
      db.close();
    },
    rows: async (table) => {
      const all = (name: string) => readAll<Row>(reader.prepare(`select * from ${name}`), []);
      return table === "idempotency_keys" ? [...all(table), ...all("new_keys")] : all(table);
    },
    async close() {
      reader.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
