import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { Client, type Pool } from "pg";
import { makeCluster } from "../testing/postgres-cluster.ts";
import { createHotPool, inTransaction } from "./connection.ts";

test("a commit that its standby did not confirm is no success, also where the role's warnings are hidden", async (t) => {
  const { members, remove } = await makeCluster(["alone"]);
  t.after(remove);
  const [server] = members;
  assert.ok(server);
  await server.start(["synchronous_standby_names=away"]);
  const operator = new Client({
    connectionString: server.url,
    options: "-c synchronous_commit=local",
  });
  await operator.connect();
  t.after(() => operator.end());
  await operator.query("alter role postgres set client_min_messages = error");
  const hot = createHotPool(server.url, 1, false);
  t.after(() => hot.end());

  const stored = inTransaction(hot, (client) => client.query("create table stored (a int)"));
  const refused = assert.rejects(stored, { code: "outcome_unknown" });
  const cancel = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'";
  while ((await operator.query(cancel)).rowCount === 0);
  await refused;
});

test("the warning of such a commit is known in any language of the server", async () => {
  const client = Object.assign(new EventEmitter(), {
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
