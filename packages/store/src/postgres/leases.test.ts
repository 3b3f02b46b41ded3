import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client } from "pg";
import { only } from "../conformance/checks.ts";
import { beatOf } from "../conformance/leases.ts";
import { budget, event } from "../conformance/reports.ts";
import { claim, delivered, retried, RULE } from "../conformance/settlements.ts";
import type { Store, StoreHint } from "../port/store.ts";
import { createMigratedDatabase, execute } from "../testing/postgres-server.ts";
import { ONE_WEBHOOK, TEST_OPTIONS } from "./open-harness.ts";
import { openPostgres } from "./open.ts";

let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let store: Store;
before(async () => {
  database = await createMigratedDatabase();
  store = await openPostgres({ ...TEST_OPTIONS, url: database.url });
  await store.resources.put([{ id: "r", ownerId: "o", title: "T", subtitle: "" }]);
  await store.webhooks.create(ONE_WEBHOOK, null);
});
after(async () => {
  await store.close();
  await database.drop();
});

test("while a transaction holds its instance's row, rescue passes that instance over; nothing it commits is stranded", async () => {
  const { instanceNo } = await store.instances.start("slow", "1");
  const accepting = new Client({ connectionString: database.url });
  await accepting.connect();
  await accepting.query("begin");
  await accepting.query("select 1 from instances where instance_no = $1 for key share", [
    instanceNo,
  ]);
  const beat = await beatOf(store, instanceNo);
  const during = await store.deliveries.rescue([beat]);
  assert.deepEqual([during.instanceNos, during.rescued], [[], 0]);
  const { preLeased } = await store.events.accept([event("r", "purchase", 1)], budget(instanceNo));
  assert.equal(preLeased.length, 1);
  await accepting.query("commit");
  await accepting.end();
  const later = await store.deliveries.rescue([beat]);
  assert.deepEqual([later.instanceNos, later.rescued], [[instanceNo], 1]);
  const outcome = await store.events.accept([event("r", "purchase", 2)], budget(instanceNo));
  assert.deepEqual([outcome.preLeased.length, outcome.notPreLeased], [0, 1]);
});

test("a lease whose instance's row somebody else deleted comes back with an instance's first rescue, and within sixty of another", async () => {
  async function erased(userId: number): Promise<void> {
    const { instanceNo } = await store.instances.start("erased", "1");
    const { preLeased } = await store.events.accept(
      [event("r", "purchase", userId)],
      budget(instanceNo),
    );
    assert.equal(preLeased.length, 1);
    await execute(database.url, `delete from instances where instance_no = ${instanceNo}`);
  }
  await erased(3);
  const other = await openPostgres({ ...TEST_OPTIONS, url: database.url });
  assert.equal((await other.deliveries.rescue([])).rescued, 1);
  await other.close();
  await erased(4);
  let [calls, rescued] = [0, 0];
  while (rescued === 0 && calls < 60) {
    ({ rescued } = await store.deliveries.rescue([]));
    calls += 1;
  }
  assert.equal(rescued, 1);
});

test("a graceful end waits for the transactions that hold its instance's row and gives back what they leased", async () => {
  const { instanceNo } = await store.instances.start("stopping", "1");
  const accepting = new Client({ connectionString: database.url });
  await accepting.connect();
  await accepting.query("begin");
  await accepting.query("select 1 from instances where instance_no = $1 for key share", [
    instanceNo,
  ]);
  const ended = store.instances.end(instanceNo);
  await accepting.query(
    `insert into leased (seq, event_seq, webhook_no, kind, instance_no, created_at)
     select 1, seq, 1, 2, $1, 0 from events limit 1`,
    [instanceNo],
  );
  await accepting.query("commit");
  await accepting.end();
  assert.equal(await ended, 1);
  await execute(database.url, "delete from pending where seq = 1");
});

test("hints reach other instances, and what others notify on the channel is passed over", async () => {
  const other = await openPostgres({ ...TEST_OPTIONS, url: database.url });
  const hints: StoreHint[] = [];
  other.onHint((hint) => hints.push(hint));
  const hook = only(await store.webhooks.list({ ownerId: null, limit: 10 }));
  // Listening begins on its own time, and a hint may be lost: so it is said until it is heard.
  while (!hints.some((hint) => hint.kind === "webhooks")) {
    for (const text of ["nonsense", "null", "{}", '{"kind":"webhooks"}', '{"kind":"other"}']) {
      await execute(database.url, `select pg_notify('markethook', '${text}')`);
    }
    await store.webhooks.change(hook.id, null, { description: "changed" });
  }
  const told = hints.find((hint) => hint.kind === "webhooks");
  assert.deepEqual(told, { kind: "webhooks", nos: [hook.no] });
  assert.ok(hints.every((hint) => hint.kind === "webhooks" || hint.kind === "ready"));
  await other.close();
});

test("a broken connection fails the call it carries, not the process, and the next call works", async () => {
  const { instanceNo } = await store.instances.start("cut", "1");
  const cut = execute(
    database.url,
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await Promise.allSettled([
    cut,
    ...[1, 2, 3].map(
      async (user) => await store.events.accept([event("r", "purchase", user)], budget(instanceNo)),
    ),
  ]);
  await assert.doesNotReject(async () => {
    for (let tries = 0; ; tries += 1) {
      try {
        return await store.events.accept([event("r", "purchase", 9)], budget(instanceNo));
      } catch (error) {
        if (tries > 20) throw error;
      }
    }
  });
});

test("an outcome of a delivery that a failover lost does not fit the one that gets its number, in the same instance", async () => {
  const { instanceNo } = await store.instances.start("survivor", "1");
  const [{ at }] = (await execute(database.url, "select last_value as at from mh_numbers")) as [
    { at: string },
  ];
  const accept = async (userId: number) => {
    await execute(database.url, `select setval('mh_numbers', ${at})`);
    const { preLeased } = await store.events.accept(
      [event("r", "purchase", userId)],
      budget(instanceNo),
    );
    return only(preLeased);
  };
  const lost = await accept(5);
  // As if the commit had never reached the database that is there now.
  await execute(database.url, `delete from leased where seq = ${lost.seq}`);
  await execute(database.url, `delete from events where seq = ${lost.eventSeq}`);
  const after = await accept(6);
  assert.equal(after.seq, lost.seq);
  const settled = await store.deliveries.settle(instanceNo, [delivered(lost)], RULE);
  assert.deepEqual(settled.refused, [lost.seq]);
  const again = await store.deliveries.settle(instanceNo, [delivered(after)], RULE);
  assert.deepEqual(again.refused, []);
});

test("an outcome under a lease that a failover lost does not fit the next lease of the same delivery", async () => {
  const { instanceNo } = await store.instances.start("survivor", "1");
  // What other tests left.
  await store.deliveries.claim(claim(instanceNo));
  const { results } = await store.events.accept([event("r", "purchase", 7)], null);
  assert.equal(results.length, 1);
  /** If a claim was slow, the next ones read past older rows for a moment. */
  const claimed = async () => {
    for (;;) {
      const { deliveries } = await store.deliveries.claim(claim(instanceNo));
      if (deliveries.length > 0) return only(deliveries);
    }
  };
  await execute(database.url, "create table standby as select * from pending");
  const lost = await claimed();
  // As if the claim had never reached the database that is there now.
  await execute(database.url, `delete from leased where seq = ${lost.seq}`);
  await execute(database.url, `insert into pending select * from standby where seq = ${lost.seq}`);
  await execute(database.url, "drop table standby");
  const after = await claimed();
  assert.equal(after.seq, lost.seq);
  const settled = await store.deliveries.settle(instanceNo, [retried(lost, 0)], RULE);
  assert.deepEqual(settled.refused, [lost.seq]);
  const again = await store.deliveries.settle(instanceNo, [delivered(after)], RULE);
  assert.deepEqual(again.refused, []);
});

test("an instance that starts after a failover that set numbers back never gets the number of one that goes on", async () => {
  const before = await store.instances.start("first", "1");
  await execute(database.url, `delete from instances where instance_no = ${before.instanceNo}`);
  await execute(
    database.url,
    "select setval('mh_instances', (select last_value from mh_instances), false)",
  );
  const after = await store.instances.start("second", "1");
  assert.notEqual(after.instanceNo, before.instanceNo);
  await store.instances.end(after.instanceNo);
});
