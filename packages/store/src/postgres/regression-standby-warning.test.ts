import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { Kysely, PostgresDialect, sql } from "kysely";
import { Client, type Pool } from "pg";
import { makeCluster } from "../testing/postgres-cluster.ts";
import { createHotPool, createManagementPool, inTransaction, mappingErrors } from "./connection.ts";

const CREATE = "create table if not exists stored (a int)";
const CHANGES: Record<string, (url: string) => Promise<unknown>> = {
  async "an event"(url) {
    const pool = createHotPool(url, 1, false);
    try {
      return await inTransaction(pool, (client) => client.query(CREATE));
    } finally {
      await pool.end();
    }
  },
  async "a webhook"(url) {
    const pool = createManagementPool(url, 1, false);
    const db = new Kysely({ dialect: new PostgresDialect({ pool: mappingErrors(pool) }) });
    const create = sql.raw(CREATE);
    try {
      return await db.transaction().execute((trx) => create.execute(trx));
    } finally {
      await db.destroy();
    }
  },
};

test("a commit that its standby did not confirm is no success, also where the role's warnings are hidden", async (t) => {
  const { members, remove } = await makeCluster(["alone"]);
  t.after(remove);
  const [server] = members;
  assert.ok(server);
  await server.start(["synchronous_standby_names=away"]);
  const options = "-c synchronous_commit=local";
  const operator = new Client({ connectionString: server.url, options });
  await operator.connect();
  await operator.query("alter role postgres set client_min_messages = error");
  const cancel = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'";
  for (const [what, store] of Object.entries(CHANGES)) {
    await operator.query("drop table if exists stored");
    const refused = assert.rejects(store(server.url), { code: "outcome_unknown" }, what);
    let isOver = false;
    void refused.catch(() => undefined).finally(() => (isOver = true));
    while (!isOver) await operator.query(cancel);
    await refused;
  }
  await operator.end();
});

test("the warning of such a commit is known in any language of the server", async () => {
  const client = Object.assign(new EventEmitter(), {
    connection: new EventEmitter(),
    async query(text: string) {
      if (text === "commit") {
        client.emit("notice", {
          code: "01000",
          message: "storniere Warten auf synchrone Replikation wegen Benutzeraufforderung",
          routine: "SyncRepWaitForLSN",
        });
      }
      return await Promise.resolve({ command: text === "commit" ? "COMMIT" : "", rows: [] });
    },
    release() {},
  });
  const pool = { options: {}, connect: async () => client } as unknown as Pool; // What is used of it.
  await assert.rejects(
    inTransaction(pool, async () => await Promise.resolve()),
    { code: "outcome_unknown" },
  );
});
