import assert from "node:assert/strict";
import { test } from "node:test";
import { beatOf } from "../conformance/leases.ts";
import { testWorld, refuseLargeStatements } from "./open-harness.ts";

const LEASED = 20_001;
/** Of one statement, whatever the size of the queue. */
const MOST = 10_000;

/** Above about 90,000 on a busy server, one statement passed its time limit at each try, so no delivery came back. */
test("a large queue of an instance that ended, or stops, comes back in statements of bounded size", async (t) => {
  const w = await testWorld(t);
  const { harness } = w;
  await refuseLargeStatements(harness, { table: "leased", change: "delete", most: MOST });
  const lease = async (instanceNo: number): Promise<void> =>
    await harness.tamper(`
      insert into leased (seq, event_seq, webhook_no, kind, order_key, instance_no, created_at)
      select n * 128, n, 1, 0, n, ${instanceNo}, 0 from generate_series(1, ${LEASED}) as n`);
  const dueTimes = async () => new Set((await harness.rows("pending")).map((row) => row["due_at"]));

  const dead = await w.instanceNo("dead");
  await lease(dead);
  const outcome = await w.store.deliveries.rescue([await beatOf(w.store, dead)]);
  assert.deepEqual([outcome.rescued, outcome.suspects], [LEASED, [{ level: 1, count: LEASED }]]);
  assert.equal((await dueTimes()).size, 1, "they are due at one moment, so in their order");

  await harness.tamper("delete from pending where seq > 0");
  const stopping = await w.instanceNo("stopping");
  await lease(stopping);
  assert.equal(await w.store.instances.end(stopping), LEASED);
  assert.equal((await dueTimes()).size, 1);
});

/** As after a part of a backup was put back by hand. The rest stayed leased, and would have been suspects a minute later. */
test("a large queue comes back whole at a stop although a delivery of it waits as well", async (t) => {
  const w = await testWorld(t);
  const { harness } = w;
  const stopping = await w.instanceNo("stopping");
  const columns = "seq, event_seq, webhook_no, kind, order_key, created_at";
  await harness.tamper(`
    insert into leased (${columns}, instance_no)
    select n * 128, n, 1, 0, n, 0, ${stopping} from generate_series(1, ${LEASED}) as n;
    insert into pending (${columns}, due_at) select ${columns}, 0 from leased where seq = 128`);
  assert.equal(await w.store.instances.end(stopping), LEASED);
  assert.deepEqual(await harness.rows("leased"), []);
});

/** Its limit was that of a heartbeat, two seconds: the process got no instance while its queue was pending. */
test("the levels of a large queue are taken back in statements of bounded size when its process goes on", async (t) => {
  const w = await testWorld(t);
  const { harness } = w;
  const lost = await w.instanceNo("lost");
  await harness.tamper(`
    insert into pending (seq, event_seq, webhook_no, kind, order_key, due_at, suspicion, suspected_in, created_at)
    select n * 128, n, 1, 0, n, 0, 1, ${lost}, 0 from generate_series(1, ${LEASED}) as n`);
  await refuseLargeStatements(harness, { table: "pending", change: "update", most: MOST });
  await w.store.instances.start("again", "1.0.0", lost);
  const left = (await harness.rows("pending")).filter((row) => row["suspicion"] !== 0);
  assert.deepEqual(left, []);
});
