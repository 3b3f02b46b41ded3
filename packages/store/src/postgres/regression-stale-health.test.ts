import assert from "node:assert/strict";
import { test } from "node:test";
import { retried, World } from "../conformance/world.ts";
import { openPostgresHarness } from "./open-harness.ts";

const UNTIL_ANOTHER_WAITS = `do $$ begin
  while not exists (
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  ) loop
    perform pg_stat_clear_snapshot();
  end loop;
end $$`;

test("a failure that waited for another instance's outcome counts from what that one stored", async (t) => {
  const harness = await openPostgresHarness();
  t.after(async () => await harness.close());
  const w = new World(harness);
  const instanceNo = await w.instanceNo();
  const { id, hooks } = await w.shop();
  const delivery = await w.acceptOne(id, instanceNo);
  await harness.tamper("begin");
  await harness.tamper(`select 1 from webhooks where no = ${hooks[0]?.no} for no key update`);
  const settled = w.settle(instanceNo, [
    { ...retried(delivery, 60_000), health: { kind: "failed", badRequest: false } },
  ]);
  await harness.tamper(UNTIL_ANOTHER_WAITS);
  await harness.tamper(
    `insert into webhook_health (webhook_no, failing_since, failed_attempts, first_failed_event, several_events)
     values (${hooks[0]?.no}, 1000, 7, 1, 1)`,
  );
  await harness.tamper("commit");
  await settled;
  const [health] = await harness.rows("webhook_health");
  assert.deepEqual([health?.["failed_attempts"], health?.["failing_since"]], [8, 1000]);
});
