import assert from "node:assert/strict";
import { test } from "node:test";
import { deliveryId } from "@markethook/protocol";
import { only } from "../conformance/checks.ts";
import { budget, event } from "../conformance/reports.ts";
import { RULE, settled } from "../conformance/settlements.ts";
import { execute, lockTable, untilSomeWait } from "../testing/postgres-server.ts";
import { openOneWebhook, testWorld } from "./open-harness.ts";

const HOUR_MS = 3_600_000;
const END = { kind: "end", state: "dead", reason: "attempts_exhausted" } as const;

test("what is given up at the turn of an hour is taken off the count when it is sent again", async (t) => {
  const w = await testWorld(t);
  const { harness } = w;
  const instanceNo = await w.instanceNo();
  const { id, hooks } = await w.shop();
  const delivery = await w.acceptOne(id, instanceNo);
  const shown = async () => (await w.store.webhooks.get(only(hooks).id, null)).givenUp?.count;
  // It has ended, and is not counted yet.
  await harness.tamper("begin; lock table given_up");
  const done = w.settle(instanceNo, [settled(delivery, END)]);
  await harness.tamper(untilSomeWait());
  await harness.advance(HOUR_MS);
  await harness.tamper("commit");
  await done;
  assert.equal(await shown(), 1);
  await w.store.log.redeliver(deliveryId(delivery), null, true);
  assert.equal(await shown(), undefined);
});

test("what is given up before the turn of an hour, and counted after it, is in the notice about that hour", async (t) => {
  const { url, store } = await openOneWebhook(t);
  const { instanceNo } = await store.instances.start("test", "1.0.0");
  const sales = [event("r", "purchase", 1), event("r", "purchase", 2)];
  const { preLeased } = await store.events.accept(sales, budget(instanceNo));
  const [early, late] = preLeased.map((delivery) => settled(delivery, END));
  assert.ok(early !== undefined && late !== undefined);
  const setClock = async (ms: number) =>
    await execute(
      url,
      `create or replace function mh_now() returns bigint language sql volatile as 'select ${ms}::bigint'`,
    );
  const turn = (Math.floor(Date.now() / HOUR_MS) + 2) * HOUR_MS;

  await setClock(turn - 1000);
  await store.deliveries.settle(instanceNo, [early], RULE);
  // It has ended, and is not counted yet.
  const unlock = await lockTable(url, "chat_messages");
  const chatMessage = { userId: 2, messageId: "m" };
  const done = store.deliveries.settle(instanceNo, [{ ...late, chatMessage }], RULE);
  await execute(url, untilSomeWait());
  await setClock(turn + 1000);
  const { tellGivenUp } = store.maintenance;
  assert.equal(await tellGivenUp(30 * 24 * HOUR_MS, 10), 0);
  await unlock();
  await done;
  await setClock(turn + 60_000);
  assert.equal(await tellGivenUp(30 * 24 * HOUR_MS, 10), 1);
  assert.equal(only(await store.notices.list(0, 10, null)).detail["count"], 2);
});
