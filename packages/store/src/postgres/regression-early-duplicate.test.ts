/** A report whose commit no standby had confirmed was answered "duplicate" when it came again, and a promotion lost it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "pg";
import { event, keyed, World } from "../conformance/world.ts";
import { makeCluster } from "../testing/postgres-cluster.ts";
import { openPostgres } from "./open.ts";
import { TEST_OPTIONS } from "./open-harness.ts";

test("what was reported before is no duplicate while its standby has not confirmed it", async (t) => {
  const { members, remove } = await makeCluster(["alone"]);
  const [server] = members;
  assert.ok(server);
  await server.start();
  const store = await openPostgres({ ...TEST_OPTIONS, url: server.url });
  const options = "-c synchronous_commit=local";
  const operator = new Client({ connectionString: server.url, options });
  await operator.connect();
  t.after(async () => {
    await operator.end();
    await store.close();
    await remove();
  });
  // Of the harness this test uses the store alone.
  const w = new World({ store } as unknown as World["harness"]);
  const { id } = await w.resource();
  const reports = [event(id, "purchase", 1, keyed("line-1"))];
  const standby = async (names: string): Promise<void> => {
    await operator.query(`alter system set synchronous_standby_names = '${names}'`);
    await operator.query("select pg_reload_conf()");
    const set = `select current_setting('synchronous_standby_names') = '${names}' as is_set`;
    while ((await operator.query<{ is_set: boolean }>(set)).rows[0]?.is_set !== true);
  };
  const cancel = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'";

  await standby("away");
  // The report, and twice the same again.
  for (let time = 1; time <= 3; time += 1) {
    let isOver = false;
    const refused = assert.rejects(
      store.events.accept(reports, null).finally(() => (isOver = true)),
      { code: "outcome_unknown" },
      `time ${time}`,
    );
    void refused.catch(() => undefined);
    while (!isOver) await operator.query(cancel);
    await refused;
  }
  await standby("");
  const { results } = await store.events.accept(reports, null);
  assert.equal(results[0]?.kind, "duplicate");
});
