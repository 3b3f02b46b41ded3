import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Client } from "pg";
import { channel } from "../conformance/chats.ts";
import { budget, event } from "../conformance/reports.ts";
import { DEAD, retried, settled } from "../conformance/settlements.ts";
import { testWorld } from "./open-harness.ts";

test("the health of all webhooks of a batch takes one statement where it is only counted, and three otherwise", async (t) => {
  const w = await testWorld(t);
  const instanceNo = await w.instanceNo();
  const shops = { few: await w.shop(1), many: await w.shop(60) };
  const statementsFor = async ({ id, hooks }: typeof shops.few): Promise<number> => {
    const { preLeased } = await w.store.events.accept(
      [event(id, "purchase", w.user())],
      budget(instanceNo),
    );
    assert.equal(preLeased.length, hooks.length);
    const query = mock.method(Client.prototype, "query");
    const settlements = preLeased.map((one) => retried(one, 0));
    for (const one of settlements) one.health = { kind: "failed", badRequest: false };
    await w.settle(instanceNo, settlements);
    query.mock.restore();
    return query.mock.calls.filter((call) =>
      JSON.stringify(call.arguments[0]).includes("webhook_health"),
    ).length;
  };
  for (const shop of [shops.few, shops.many]) {
    assert.equal(await statementsFor(shop), 3, "first failures");
    assert.equal(await statementsFor(shop), 1, "further failures");
  }
});

test("the audit rows of all webhooks that an answer disables take one statement", async (t) => {
  const w = await testWorld(t);
  const { instanceNo, shop } = await w.shopAndInstance(0);
  const hooks = await Promise.all(
    Array.from({ length: 60 }, async () => await w.webhook(shop.id, channel())),
  );
  const [sendable] = await w.store.webhooks.forSending(hooks.slice(0, 1).map(({ no }) => no));
  const signal = {
    kind: "disable_chat",
    reason: "chat_deleted",
    target: sendable?.chat?.target ?? "",
  } as const;
  const [delivery] = await w.lease(instanceNo, w.purchases(shop.id));
  assert.ok(delivery);
  const query = mock.method(Client.prototype, "query");
  const { changedWebhooks } = await w.settle(instanceNo, [settled(delivery, DEAD, {}, signal)]);
  query.mock.restore();
  const inserts = query.mock.calls.filter((call) =>
    JSON.stringify(call.arguments[0]).includes("insert into audit "),
  );
  assert.deepEqual([changedWebhooks.length, inserts.length], [60, 1]);
  assert.equal((await w.store.audit.verify(0, 1000)).broken, null);
});
