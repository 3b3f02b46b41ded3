import assert from "node:assert/strict";
import { test } from "node:test";
import { Kysely, PostgresDialect } from "kysely";
import { createTestDatabase, execute } from "../testing/postgres-server.ts";
import { createManagementPool, mappingErrors } from "./connection.ts";

interface Settings {
  pg_settings: { name: string; setting: string };
}

const name = "transaction_isolation";

test("changes wait for one another, whatever a database has as its default isolation", async (t) => {
  const { url, drop } = await createTestDatabase();
  t.after(drop);
  const database = new URL(url).pathname.slice(1);
  await execute(url, `alter database ${database} set default_transaction_isolation = serializable`);
  for (const pooled of [false, true]) {
    const pool = createManagementPool(url, 1, pooled);
    const db = new Kysely<Settings>({
      dialect: new PostgresDialect({ pool: mappingErrors(pool) }),
    });
    const rows = await db
      .transaction()
      .execute((trx) =>
        trx.selectFrom("pg_settings").select("setting").where("name", "=", name).execute(),
      );
    assert.deepEqual(rows, [{ setting: "read committed" }]);
    await db.destroy();
  }
  const alone = createManagementPool(url, 1, false);
  const { rows } = await alone.query(`show ${name}`);
  assert.deepEqual(rows, [{ [name]: "read committed" }]);
  await alone.end();
});
