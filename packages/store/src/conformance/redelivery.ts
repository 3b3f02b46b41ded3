import assert from "node:assert/strict";
import { test } from "node:test";
import { deliveryId, parseDeliveryId } from "@markethook/protocol";
import type { ReplayFilter } from "../port/delivery-log.ts";
import { only, refused, withCode } from "./checks.ts";
import { each, newest, stepsOf } from "./lists.ts";
import { budget, event, fileVersion, update } from "./reports.ts";
import { DEAD, delivered, RELEASE, settled } from "./settlements.ts";
import type { World } from "./world.ts";

export function testRedelivery(w: World): void {
  test("an ended delivery is sent again as a new one of the same event; the old one stays as it was", async () => {
    const { instanceNo, shop, delivery } = await w.leasedOne();
    await w.deliver(instanceNo, [delivery]);
    const old = await w.store.log.find(deliveryId(delivery), null);
    const { deliveryId: id } = await w.store.log.redeliver(
      deliveryId(delivery),
      shop.ownerId,
      false,
    );
    const again = only(await w.claimAll(instanceNo));
    assert.equal(deliveryId(again), id);
    assert.deepEqual(
      [again.eventSeq, again.tag, again.payload, again.origin, again.attempts, again.orderKey],
      [delivery.eventSeq, delivery.tag, delivery.payload, "redelivery", 0, delivery.orderKey],
    );
    await w.deliver(instanceNo, [again]);
    assert.deepEqual(await w.store.log.find(deliveryId(delivery), null), old);
    const found = await w.store.log.find(id, shop.ownerId);
    assert.deepEqual(
      [found?.state, found?.eventId, found?.origin],
      ["delivered", old?.eventId, "redelivery"],
    );
  });

  test("a delivery that has not ended, a ping, a foreign and an absent one are not sent again", async () => {
    const { instanceNo, shop, delivery } = await w.leasedOne();
    const { log } = w.store;
    await refused(log.redeliver(deliveryId(delivery), null, true), "delivery_not_ended");
    await w.settle(instanceNo, [settled(delivery, RELEASE, null)]);
    await refused(log.redeliver(deliveryId(delivery), null, true), "delivery_not_ended");
    await refused(log.redeliver(deliveryId(delivery), "stranger", true), "not_found");
    await w.drain(instanceNo);
    await refused(log.redeliver(deliveryId(delivery), "stranger", true), "not_found");
    const wrongTag = deliveryId({ seq: delivery.seq, tag: "zzzzzzzzzz" });
    await refused(log.redeliver(wrongTag, null, true), "not_found");
    await refused(log.redeliver("nonsense", null, true), "not_found");
    const { hook } = shop;
    await w.ping(hook);
    const ping = only(
      (await log.list({ ownerId: shop.ownerId, eventName: "ping" }, newest(5))).items,
    );
    await refused(log.redeliver(ping.deliveryId, null, true), "delivery_is_ping");
    await w.store.webhooks.delete(hook.id, null);
    await refused(log.redeliver(deliveryId(delivery), null, true), "not_found");
  });

  test("sending a purchase again after its refund was sent, or is about to be, needs a confirmation", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const user = w.user();
    const purchase = await w.acceptOne(shop.id, instanceNo, event(shop.id, "purchase", user));
    const id = deliveryId(purchase);
    await w.deliver(instanceNo, [purchase]);
    const refund = await w.acceptOne(shop.id, instanceNo, event(shop.id, "removed", user));
    const refused = withCode("redelivery_out_of_order");
    await assert.rejects(w.store.log.redeliver(id, null, false), refused);
    await w.deliver(instanceNo, [refund]);
    await assert.rejects(w.store.log.redeliver(id, null, false), refused);
    await w.store.log.redeliver(deliveryId(refund), null, false);
    await w.drain(instanceNo);
    const { deliveryId: again } = await w.store.log.redeliver(id, null, true);
    await w.drain(instanceNo);
    assert.equal((await w.store.log.find(again, null))?.state, "delivered");
  });

  test("a redelivery stands in its buyer's order: after what is open, before what comes later", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const user = w.user();
    const purchase = await w.acceptOne(shop.id, instanceNo, event(shop.id, "purchase", user));
    await w.deliver(instanceNo, [purchase]);
    const { deliveryId: id } = await w.store.log.redeliver(deliveryId(purchase), null, false);
    const later = await w.store.events.accept(
      [event(shop.id, "removed", user)],
      budget(instanceNo),
    );
    assert.equal(later.preLeased.length, 0, "it waits for the redelivery");
    const again = only(await w.claimAll(instanceNo));
    assert.equal(again.seq, parseDeliveryId(id)?.seq);
    await w.deliver(instanceNo, [again]);
    await w.harness.advance(31_000);
    assert.equal(only(await w.claimAll(instanceNo)).eventName, "product.user.purchaseRemoved");
  });

  test("a redelivery and an event about the same buyer at once never go out side by side", async () => {
    const other = await w.another();
    const { instanceNo, shop } = await w.shopAndInstance();
    for (let round = 0; round < 25; round += 1) {
      const user = w.user();
      const purchase = await w.acceptOne(shop.id, instanceNo, event(shop.id, "purchase", user));
      await w.deliver(instanceNo, [purchase]);
      const [outcome] = await Promise.all([
        w.store.events.accept([event(shop.id, "removed", user)], budget(instanceNo)),
        other.log.redeliver(deliveryId(purchase), null, true),
      ]);
      const claimed = await w.claimAll(instanceNo);
      const out = [...outcome.preLeased, ...claimed];
      assert.equal(out.length, 1, "one of them, the other waits");
      await w.deliver(instanceNo, out);
      await w.harness.advance(31_000);
      await w.drain(instanceNo);
    }
  });

  test("a replay counts first, then sends in bounded steps, oldest first, only what its filter names", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const { hook } = shop;
    const from = await w.store.maintenance.now();
    const preLeased = await w.lease(instanceNo, [
      ...w.purchases(shop.id, 5),
      update(shop.id, fileVersion("2"), { previous: fileVersion("1") }),
    ]);
    await w.settle(instanceNo, [
      ...preLeased.slice(0, 4).map((delivery) => settled(delivery, DEAD)),
      ...preLeased.slice(4).map(delivered),
    ]);
    await w.harness.advance(1000);
    const to = await w.store.maintenance.now();
    const filter: ReplayFilter = {
      webhookId: hook.id,
      ownerId: shop.ownerId,
      from,
      to,
      states: ["dead", "delivered"],
    };
    const count = async (change: Partial<ReplayFilter>) =>
      (await w.store.log.countReplay({ ...filter, ...change })).count;
    assert.deepEqual(await w.store.log.countReplay(filter), { count: 6, capped: false });
    assert.equal(await count({ states: ["dead"] }), 4);
    assert.equal(await count({ states: [] }), 0);
    assert.equal(await count({ events: ["product.update"] }), 1);
    assert.equal(await count({ from: to }), 0);
    const steps = await stepsOf((after) =>
      w.store.log.replayStep({ ...filter, states: ["dead"] }, after, 3),
    );
    assert.deepEqual(steps, [3, 1]);
    const sent = await w.claimAll(instanceNo);
    assert.deepEqual(each(sent, "eventSeq"), each(preLeased.slice(0, 4), "eventSeq"));
    await w.deliver(instanceNo, sent);
    assert.equal(
      await count({ to: to + 1_000_000 }),
      6,
      "what a replay sent is not replayed again",
    );
  });

  test("of two replays at once, one sends what was given up, and neither sends what the other does", async () => {
    const other = await w.another();
    const { instanceNo, shop } = await w.shopAndInstance();
    const from = await w.store.maintenance.now();
    for (let i = 0; i < 20; i += 1) {
      const delivery = await w.acceptOne(shop.id, instanceNo);
      await w.settle(instanceNo, [settled(delivery, DEAD)]);
    }
    const filter: ReplayFilter = {
      webhookId: shop.hook.id,
      ownerId: shop.ownerId,
      from,
      to: from + 1_000_000,
      states: ["dead"],
    };
    const steps = await Promise.all(
      [w.store, other].map(async ({ log }) => await log.replayStep(filter, 0, 100)),
    );
    assert.equal(
      steps.reduce((sum, { sent }) => sum + sent, 0),
      20,
    );
    assert.equal((await w.claimAll(instanceNo)).length, 20);
  });
}
