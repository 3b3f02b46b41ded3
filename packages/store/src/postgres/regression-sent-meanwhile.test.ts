import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { deliveryId } from "@markethook/protocol";
import { Client } from "pg";
import type { QueuedDelivery } from "../port/deliveries.ts";
import { only } from "../conformance/checks.ts";
import { event } from "../conformance/reports.ts";
import { failedMany } from "../conformance/early-sending.ts";
import { each, newest } from "../conformance/lists.ts";
import { HOUR, settled } from "../conformance/settlements.ts";
import { untilSomeWait } from "../testing/postgres-server.ts";
import { testWorld } from "./open-harness.ts";

/** Deliveries of one webhook, each leased. */
async function openWorld(t: TestContext, count: number) {
  const w = await testWorld(t);
  const { harness } = w;
  const instanceNo = await w.instanceNo();
  const { id, hooks } = await w.shop();
  const deliveries: QueuedDelivery[] = [];
  for (let at = 0; at < count; at += 1) deliveries.push(await w.acceptOne(id, instanceNo));
  return { w, harness, instanceNo, webhookId: only(hooks).id, deliveries };
}

test("a delivery that ends while it is looked for to be sent again is found", async (t) => {
  const { w, harness, deliveries } = await openWorld(t, 1);
  const { seq, tag } = only(deliveries);
  await harness.tamper("begin; lock table leased");
  const again = w.store.log.redeliver(deliveryId({ seq, tag }), null, true);
  await harness.tamper(untilSomeWait());
  await harness.tamper(`
    insert into ended (seq, event_seq, webhook_no, kind, order_key, state, attempts, origin, created_at, ended_at)
    select seq, event_seq, webhook_no, kind, order_key, 1, 1, origin, created_at, mh_now() from leased where seq = ${seq};
    delete from leased where seq = ${seq};
    commit`);
  assert.match((await again).deliveryId, /^dlv_/);
});

test("a replay leaves out what is erased meanwhile, and sends the rest", async (t) => {
  const { w, harness, instanceNo, webhookId, deliveries } = await openWorld(t, 2);
  const dead = { kind: "end", state: "dead", reason: "attempts_exhausted" } as const;
  await w.settle(
    instanceNo,
    deliveries.map((delivery) => settled(delivery, dead)),
  );
  const shown = async () => (await w.store.webhooks.get(webhookId, null)).givenUp?.count;
  assert.equal(await shown(), 2);
  await harness.tamper(
    `begin; update events set erased_at = 1, user_id = null where seq = ${deliveries[0]?.eventSeq}`,
  );
  const filter = { webhookId, ownerId: null, from: 0, to: Number.MAX_SAFE_INTEGER };
  const step = w.store.log.replayStep({ ...filter, states: ["dead"] }, 0, 10);
  await harness.tamper(untilSomeWait());
  await harness.tamper("commit");
  assert.equal((await step).sent, 1);
  assert.equal(only(await w.claimAll(instanceNo)).eventSeq, deliveries[1]?.eventSeq);
  assert.equal(await shown(), 1);
});

test("a later delivery of the buyer that is claimed while missing ones are counted is seen", async (t) => {
  const { w, instanceNo } = await openWorld(t, 0);
  const { id } = await w.resource();
  const buyer = w.user();
  await w.accept([event(id, "purchase", buyer)]);
  const hook = await w.webhook(id);
  await w.accept([event(id, "removed", buyer)]);
  const { query } = Client.prototype;
  let isClaimed = false;
  t.mock.method(Client.prototype, "query", function (this: Client, ...of: [string, unknown[]]) {
    const answer: unknown = Reflect.apply(query, this, of);
    const [text] = of;
    if (isClaimed || !/max\("d"."event_seq"\).*"leased"/.test(text)) return answer;
    isClaimed = true;
    return (answer as Promise<unknown>).then(async (rows) => {
      await w.claimAll(instanceNo);
      return rows;
    });
  });
  const filter = { webhookId: hook.id, ownerId: null, from: 0, to: Number.MAX_SAFE_INTEGER };
  const found = await w.store.log.countMissing({ ...filter, confirmed: false });
  assert.deepEqual([isClaimed, found.count, found.outOfOrder], [true, 0, 1]);
});

test("deliveries that are claimed, or fail again, while a person stops them do not count as stopped, and keep their times", async (t) => {
  const w = await testWorld(t);
  const { shop, instanceNo } = await w.shopAndInstance();
  const { id } = shop.hook;
  const deliveries = await failedMany(w, instanceNo, shop.id, 4, () => HOUR);
  const [claimed, failed, third, fourth] = deliveries.map(({ seq }) => seq);
  const { log, audit } = w.store;
  await log.sendWaitingStep(id, null, null, 10);
  const stopDuring = async (sql: string) => {
    await w.harness.tamper(`begin; ${sql}`);
    const stopping = log.stopWaitingStep(id, null, 3);
    await w.harness.tamper(untilSomeWait());
    await w.harness.tamper("commit");
    return await stopping;
  };
  const meanwhile = `delete from pending where seq = ${claimed};
    update pending set due_at = planned_at + 1000 where seq = ${failed}`;
  assert.deepEqual(await stopDuring(meanwhile), { stopped: 1, more: true });
  const rows = new Map((await w.rowsOf("pending", shop.hook.no)).map((row) => [row["seq"], row]));
  const late = (seq = 0) =>
    Number(rows.get(seq)?.["due_at"]) - Number(rows.get(seq)?.["planned_at"]);
  assert.deepEqual([rows.size, late(failed), late(third)], [3, 1000, 0]);
  const last = `delete from pending where seq = ${fourth}`;
  assert.deepEqual(await stopDuring(last), { stopped: 0, more: false });
  const filter = { ownerId: null, subjectId: id, action: "webhook.stop_waiting" } as const;
  const { items } = await audit.list(filter, newest(10));
  assert.deepEqual(each(items, "after"), [{ stopped: 1 }]);
});
