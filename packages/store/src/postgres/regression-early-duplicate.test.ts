/** A report whose commit no standby had confirmed was answered "duplicate" when it came again, and a promotion lost it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "pg";
import { event, keyed } from "../conformance/reports.ts";
import { World } from "../conformance/world.ts";
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
  const probe = new Client({ connectionString: server.url });
  await Promise.all([operator.connect(), probe.connect()]);
  t.after(async () => {
    await Promise.all([operator.end(), probe.end()]);
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
  };
  const cancel = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'";
  /** Repeats it until that has ended. Returns whether there was anything to cancel. */
  const cancelWaits = async (ended: Promise<unknown>): Promise<boolean> => {
    let isOver = false;
    let waited = false;
    void ended.catch(() => undefined).finally(() => (isOver = true));
    while (!isOver) waited = (await operator.query(cancel)).rows.length > 0 || waited;
    return waited;
  };

  await standby("away");
  // The server's processes read settings each in their own time.
  while (!(await cancelWaits(probe.query("select pg_logical_emit_message(true, '', '')"))));
  // The report, and twice the same again.
  for (let time = 1; time <= 3; time += 1) {
    const report = store.events.accept(reports, null);
    await cancelWaits(report);
    await assert.rejects(report, { code: "outcome_unknown" }, `time ${time}`);
  }
  await standby("");
  const { results } = await store.events.accept(reports, null);
  assert.equal(results[0]?.kind, "duplicate");
});
