import assert from "node:assert/strict";
import { test } from "node:test";
import { Kysely, PostgresDialect } from "kysely";
import { createTestDatabase, execute } from "../testing/postgres-server.ts";
import { createManagementPool, mappingErrors } from "./connection.ts";

interface Rows {
  audit_head: { no: number };
}

test("a transaction that stands still, as its process does, gives up its locks within seconds", async (t) => {
  const { url, drop } = await createTestDatabase();
  t.after(drop);
  await execute(url, "create table audit_head as select 1 as no");
  for (const pooled of [false, true]) {
    const pool = createManagementPool(url, 2, pooled);
    const db = new Kysely<Rows>({ dialect: new PostgresDialect({ pool: mappingErrors(pool) }) });
    const others = Promise.withResolvers<void>();
    const stopped = db.transaction().execute(async (trx) => {
      await trx.updateTable("audit_head").set({ no: 2 }).execute();
      db.updateTable("audit_head")
        .set({ no: 3 })
        .execute()
        .then(() => others.resolve(), others.reject);
      await others.promise;
      await trx.updateTable("audit_head").set({ no: 4 }).execute();
    });
    await assert.rejects(stopped, { code: "store_unavailable" });
    assert.deepEqual(await execute(url, "select no from audit_head"), [{ no: 3 }]);
    await db.destroy();
  }
});
