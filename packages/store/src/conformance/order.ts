import assert from "node:assert/strict";
import { test } from "node:test";
import type { EndState, QueuedDelivery } from "../port/deliveries.ts";
import { only } from "./checks.ts";
import { budget, event, fileVersion, update } from "./reports.ts";
import { claim, delivered, RELEASE, retried, settled } from "./settlements.ts";
import type { World } from "./world.ts";

export function testOrder(w: World): void {
  test("a refund is not claimable while its purchase is leased, waiting or retrying", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const user = w.user();
    const purchase = await w.acceptOne(shop.id, instanceNo, event(shop.id, "purchase", user));
    await w.accept([event(shop.id, "removed", user)]);
    const none = async (): Promise<void> => {
      // Longer than a blocked row is ever left alone, shorter than the retry below.
      await w.harness.advance(31_000);
      assert.deepEqual(await w.claimAll(instanceNo), []);
    };
    await none();
    await w.settle(instanceNo, [retried(purchase, 3_600_000)]);
    await none();
    await w.harness.advance(3_600_000);
    const again = only(await w.claimAll(instanceNo));
    assert.equal(again.seq, purchase.seq);
    await none();
    await w.settle(instanceNo, [settled(again, RELEASE, null)]);
    const third = only(await w.claimAll(instanceNo));
    assert.equal(third.seq, purchase.seq);
    await w.deliver(instanceNo, [third]);
    await w.harness.advance(31_000);
    const refund = only(await w.claimAll(instanceNo));
    assert.equal(refund.eventName, "product.user.purchaseRemoved");
    await w.deliver(instanceNo, [refund]);
  });

  for (const state of ["delivered", "dead", "cancelled"] as const satisfies EndState[]) {
    test(`a refund goes once its purchase has ended as ${state}`, async () => {
      const { instanceNo, shop } = await w.shopAndInstance();
      const user = w.user();
      const purchase = await w.acceptOne(shop.id, instanceNo, event(shop.id, "purchase", user));
      await w.accept([event(shop.id, "removed", user)]);
      await w.settle(instanceNo, [settled(purchase, { kind: "end", state, reason: null })]);
      await w.harness.advance(1000);
      const refund = only(await w.claimAll(instanceNo));
      assert.equal(refund.eventName, "product.user.purchaseRemoved");
      await w.deliver(instanceNo, [refund]);
    });
  }

  test("events about other buyers, and of other webhooks, wait for nobody", async () => {
    const { instanceNo, shop } = await w.shopAndInstance(2);
    const user = w.user();
    const preLeased = await w.lease(instanceNo, [
      event(shop.id, "purchase", user),
      event(shop.id, "removed", user),
    ]);
    const [fast, slow] = preLeased;
    await w.deliver(instanceNo, [fast as QueuedDelivery]);
    await w.harness.advance(1000);
    const refund = only(await w.claimAll(instanceNo));
    assert.equal(refund.webhookNo, fast?.webhookNo);
    assert.equal(
      (await w.store.events.accept(w.purchases(shop.id), budget(instanceNo))).preLeased.length,
      2,
    );
    await w.deliver(instanceNo, [refund, slow as QueuedDelivery]);
    await w.harness.advance(1000);
    await w.drain(instanceNo);
    await w.store.instances.end(instanceNo);
    const next = await w.instanceNo();
    await w.drain(next);
  });

  test("updates of one resource go one after the other", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    await w.accept([
      update(shop.id, fileVersion("1"), { previous: fileVersion("0") }),
      update(shop.id, fileVersion("2")),
      update(shop.id, fileVersion("3")),
    ]);
    for (const id of ["1", "2", "3"]) {
      await w.harness.advance(31_000);
      const next = only(await w.claimAll(instanceNo));
      assert.match(next.payload, new RegExp(`"update":\\{"version":"v${id}"`));
      await w.deliver(instanceNo, [next]);
    }
  });

  test("a hint wakes what was blocked at once, and nothing that waits for its retry", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const user = w.user();
    const purchase = await w.acceptOne(shop.id, instanceNo, event(shop.id, "purchase", user));
    await w.accept([event(shop.id, "removed", user), event(shop.id, "purchase", user)]);
    const hints = [{ webhookNo: purchase.webhookNo, orderKey: user }];
    await w.deliver(instanceNo, [purchase]);
    const { deliveries } = await w.store.deliveries.claim({ ...claim(instanceNo), hints });
    const refund = only(deliveries);
    assert.equal(refund.eventName, "product.user.purchaseRemoved");
    await w.settle(instanceNo, [retried(refund, 60_000)]);
    const none = await w.store.deliveries.claim({ ...claim(instanceNo), hints });
    assert.deepEqual(none.deliveries, [], "neither the retry nor what stands behind it");
    await w.harness.advance(100_000);
    await w.drain(instanceNo);
  });

  test("a blocked row is looked at after 1 s, then 2, 4, 8, 16 and at most every 30 s", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const user = w.user();
    const purchase = await w.acceptOne(shop.id, instanceNo, event(shop.id, "purchase", user));
    await w.store.events.accept([event(shop.id, "removed", user)], budget(instanceNo));
    const due = async (): Promise<{ at: number; blocked: number }> => {
      const row = (await w.harness.rows("pending")).find((one) => one["order_key"] === user);
      return { at: Number(row?.["due_at"]), blocked: Number(row?.["blocked"]) };
    };
    const waits: number[] = [];
    for (let look = 0; look < 7; look += 1) {
      const now = await w.store.maintenance.now();
      const wait = (await due()).at - now;
      waits.push(Math.round(wait / 1000));
      await w.harness.advance(Math.max(0, wait) + 5);
      const { deliveries, blocked } = await w.store.deliveries.claim(claim(instanceNo));
      assert.deepEqual(deliveries, []);
      assert.deepEqual(blocked, [{ webhookNo: purchase.webhookNo, orderKey: user }]);
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 30, 30]);
    await w.settle(instanceNo, [delivered(purchase)]);
    await w.harness.advance(31_000);
    await w.drain(instanceNo);
  });

  test("instances that accept about the same buyer at once agree on one order for all webhooks", async () => {
    const other = await w.another();
    const [instanceNo, second] = [
      await w.instanceNo("one"),
      (await other.instances.start("two", "1")).instanceNo,
    ];
    const shop = await w.shop(3);
    for (let round = 0; round < 60; round += 1) {
      const user = w.user();
      const noise = w.user();
      const acceptOne = (
        await Promise.all([
          w.store.events.accept(
            [event(shop.id, "purchase", user), event(shop.id, "purchase", noise)],
            budget(instanceNo),
          ),
          other.events.accept(
            [event(shop.id, "download", noise), event(shop.id, "removed", user)],
            budget(second),
          ),
        ])
      ).flatMap(({ preLeased }) => preLeased);
      const heads = acceptOne.filter((delivery) => delivery.orderKey === user);
      assert.equal(heads.length, 3, "one first delivery per webhook");
      assert.equal(new Set(heads.map((head) => head.eventSeq)).size, 1, "the same one everywhere");
      const followers = (await w.harness.rows("pending")).filter(
        (row) => row["order_key"] === user,
      );
      assert.equal(followers.length, 3);
      const first = heads[0]?.eventSeq ?? 0;
      assert.ok(followers.every((row) => Number(row["event_seq"]) > first));
      const mine = acceptOne.filter((one) => one.webhookNo > 0);
      await w.deliver(instanceNo, mine);
      await w.deliver(second, mine);
    }
    await w.store.instances.end(instanceNo);
    await other.instances.end(second);
  });

  test("an event that is sent after another's answer has the later number, from whichever instance", async () => {
    const other = await w.another();
    const shop = await w.shop();
    const user = w.user();
    for (let round = 0; round < 10; round += 1) {
      await w.accept([event(shop.id, "purchase", user)]);
      await other.events.accept([event(shop.id, "removed", user)], null);
    }
    const kinds = (await w.harness.rows("pending"))
      .filter((row) => row["order_key"] === user)
      .sort((a, b) => Number(a["seq"]) - Number(b["seq"]))
      .map((row) => Number(row["kind"]));
    assert.deepEqual(
      kinds,
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 2 : 3)),
    );
  });
}
