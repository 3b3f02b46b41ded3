import assert from "node:assert/strict";
import { test } from "node:test";
import { deliveryId } from "@markethook/protocol";
import type { QueuedDelivery, Retry } from "../port/deliveries.ts";
import { NEWEST_ATTEMPTS } from "../port/delivery-log.ts";
import { only, refused } from "./checks.ts";
import { each, newest } from "./lists.ts";
import { event } from "./reports.ts";
import {
  DELIVERED,
  FAILED,
  HOUR,
  MINUTE,
  RELEASE,
  retried,
  retry,
  settled,
} from "./settlements.ts";
import type { World } from "./world.ts";

const LIMIT = 100;
const REFUSED = { outcome: "http_error", status: 500 };

export function testEarlySending(w: World): void {
  test("a waiting delivery is sent now when a person wants it, and its schedule stays as it was", async () => {
    const { instanceNo, shop, delivery } = await w.leasedOne();
    await w.settle(instanceNo, [retried(delivery, HOUR)]);
    assert.deepEqual(await w.claimAll(instanceNo), []);
    const planned = (await w.store.log.find(deliveryId(delivery), null))?.dueAt;
    const answer = await w.store.log.sendNow(deliveryId(delivery), shop.ownerId);
    assert.deepEqual(answer, { deliveryId: deliveryId(delivery), earlier: 0 });
    const early = only(await w.claimAll(instanceNo));
    assert.deepEqual([early.early, early.attempts, early.step], [true, 1, 1]);
    await w.settle(instanceNo, [settled(early, again(), REFUSED)]);
    const after = await w.store.log.find(deliveryId(delivery), null);
    assert.deepEqual([after?.state, after?.attempts, after?.dueAt], ["pending", 2, planned]);
    await w.harness.advance(HOUR);
    const own = only(await w.claimAll(instanceNo));
    assert.deepEqual([own.early, own.attempts, own.step], [false, 2, 1]);
    await w.settle(instanceNo, [retried(own, HOUR)]);
    await w.store.log.sendNow(deliveryId(delivery), null);
    assert.equal(only(await w.claimAll(instanceNo)).step, 2);
  });

  test("of a delivery that is sent now again and again only the newest attempts are kept", async () => {
    const { instanceNo, shop, delivery } = await w.leasedOne();
    await w.settle(instanceNo, [retried(delivery, HOUR)]);
    const other = await w.acceptOne(shop.id, instanceNo);
    await w.settle(instanceNo, [retried(other, HOUR)]);
    for (let time = 0; time < NEWEST_ATTEMPTS + 3; time += 1) {
      await w.store.log.sendNow(deliveryId(delivery), shop.ownerId);
      await w.settle(instanceNo, [
        settled(only(await w.claimAll(instanceNo)), again(), { ...REFUSED, detail: "{}" }),
      ]);
    }
    const numbersOf = async (seq: number) =>
      (await w.harness.rows("attempts"))
        .filter((row) => Number(row["delivery_seq"]) === seq)
        .map((row) => Number(row["number"]));
    const numbers = await numbersOf(delivery.seq);
    // The last one was added after the others were counted.
    assert.equal(numbers.length, NEWEST_ATTEMPTS + 1);
    assert.equal(Math.max(...numbers), NEWEST_ATTEMPTS + 4);
    assert.deepEqual(await numbersOf(other.seq), [1]);
    const found = await w.store.log.find(deliveryId(delivery), shop.ownerId);
    assert.deepEqual(
      [found?.attempts, found?.attemptRecords.length],
      [NEWEST_ATTEMPTS + 4, NEWEST_ATTEMPTS],
    );
  });

  test("an early attempt that was given back, or whose instance died, is early still", async () => {
    const { instanceNo, delivery } = await w.leasedOne();
    await w.settle(instanceNo, [retried(delivery, HOUR)]);
    await w.store.log.sendNow(deliveryId(delivery), null);
    const first = only(await w.claimAll(instanceNo));
    await w.settle(instanceNo, [settled(first, RELEASE, null)]);
    assert.equal(only(await w.claimAll(instanceNo)).early, true);
    await w.store.instances.end(instanceNo);
    const next = await w.instanceNo();
    assert.equal(only(await w.claimAll(next)).early, true);
  });

  test("sent now with its buyer's earlier ones before it, one after the other", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const user = w.user();
    const purchase = await w.acceptOne(shop.id, instanceNo, event(shop.id, "purchase", user));
    await w.settle(instanceNo, [retried(purchase, HOUR)]);
    await w.accept([event(shop.id, "download", user), event(shop.id, "removed", user)]);
    const items = await w.listed({ ownerId: null, webhookId: shop.hook.id }, 10);
    assert.deepEqual(await w.claimAll(instanceNo), []);
    const { earlier } = await w.store.log.sendNow(items[0]?.deliveryId ?? "", null);
    assert.equal(earlier, 2);
    const names: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const next = only(await w.claimAll(instanceNo));
      names.push(next.eventName);
      await w.deliver(instanceNo, [next]);
      await w.harness.advance(31_000);
    }
    assert.deepEqual(names, [
      "product.user.purchase",
      "product.user.firstDownload",
      "product.user.purchaseRemoved",
    ]);
  });

  test("a delivery that is under way is left alone; ended, held, foreign and absent ones are refused", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const { hook } = shop;
    const delivery = await w.acceptOne(shop.id, instanceNo);
    const id = deliveryId(delivery);
    const { log } = w.store;
    assert.deepEqual(await log.sendNow(id, null), { deliveryId: id, earlier: 0 });
    await w.settle(instanceNo, [retried(delivery, HOUR)]);
    await refused(log.sendNow(id, "stranger"), "not_found");
    await refused(log.sendNow("nonsense", null), "not_found");
    await w.store.webhooks.pause(hook.id, null);
    await refused(log.sendNow(id, null), "webhook_not_active");
    await refused(log.countWaiting(hook.id, null), "webhook_not_active");
    await refused(log.sendWaitingStep(hook.id, null, null, LIMIT), "webhook_not_active");
    await w.store.webhooks.resume(hook.id, null, "send");
    await w.drain(instanceNo);
    await refused(log.sendNow(id, null), "delivery_ended");
  });

  test("all that waits for a webhook is counted, then made due in bounded steps, and goes in order", async () => {
    const { instanceNo, shop } = await w.shopAndInstance(2);
    const [hook, other] = shop.hooks;
    assert.ok(hook !== undefined && other !== undefined);
    const waiting = await failedMany(w, instanceNo, shop.id, 7, (index) => HOUR - index);
    const count = async (id: string) => (await w.store.log.countWaiting(id, shop.ownerId)).count;
    assert.deepEqual([await count(hook.id), await count(other.id)], [7, 7]);
    const steps: number[] = [];
    let from: Parameters<typeof w.store.log.sendWaitingStep>[2] = null;
    do {
      const step = await w.store.log.sendWaitingStep(hook.id, shop.ownerId, from, 3);
      steps.push(step.sent);
      from = step.next;
    } while (from !== null);
    assert.deepEqual(steps, [3, 3, 1]);
    assert.deepEqual([await count(hook.id), await count(other.id)], [0, 7]);
    const claimed = await w.claimAll(instanceNo);
    const own = waiting.filter((one) => one.webhookNo === hook.no);
    assert.deepEqual(
      claimed.map(({ seq, early }) => [seq, early]),
      own.map(({ seq }) => [seq, true]),
    );
  });

  test("a delivery that was made due and not taken yet waits for its own time again when a person stops it", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const { hook } = shop;
    const { log } = w.store;
    await failedMany(w, instanceNo, shop.id, 5, (index) => HOUR + index);
    const planned = async () =>
      (await w.rowsOf("pending", hook.no))
        .map((row) => Number(row["due_at"]))
        .sort((a, b) => a - b);
    const before = await planned();
    await log.sendWaitingStep(hook.id, null, null, LIMIT);
    const counted = await log.countWaiting(hook.id, null);
    assert.deepEqual([counted.count, counted.sending], [0, 5]);
    await refused(log.stopWaitingStep(hook.id, "stranger", 2), "not_found");
    assert.deepEqual(
      [
        await log.stopWaitingStep(hook.id, shop.ownerId, 3),
        await log.stopWaitingStep(hook.id, shop.ownerId, 3),
        await log.stopWaitingStep(hook.id, shop.ownerId, 3),
      ],
      [
        { stopped: 3, more: true },
        { stopped: 2, more: false },
        { stopped: 0, more: false },
      ],
    );
    assert.deepEqual(await planned(), before);
    assert.deepEqual(await w.claimAll(instanceNo), []);
    // What has been taken goes on; nothing pulls the others after it.
    await log.sendNow(
      (await log.list(oneHook(hook.id), newest(1))).items[0]?.deliveryId ?? "",
      null,
    );
    const taken = only(await w.claimAll(instanceNo));
    assert.equal((await log.stopWaitingStep(hook.id, null, 3)).stopped, 0);
    assert.deepEqual(await log.countWaiting(hook.id, null), {
      count: 4,
      capped: false,
      sending: 1,
    });
    await w.deliver(instanceNo, [taken]);
    await w.harness.advance(HOUR + 10);
    const own = await w.claimAll(instanceNo);
    assert.deepEqual([own.length, own.some(({ early }) => early)], [4, false]);
  });

  test("a person who stops early sending ends a recovery too, and leaves what is due by its own schedule", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const { id } = shop.hook;
    await failedMany(w, instanceNo, shop.id, 3, () => HOUR);
    await recover(w, instanceNo, shop.id);
    await w.accept(w.purchases(shop.id));
    await w.harness.advance(10);
    await pull(w);
    const stop = async () => await w.store.log.stopWaitingStep(id, null, 1);
    assert.deepEqual(await stop(), { stopped: 1, more: true });
    assert.deepEqual(await stop(), { stopped: 0, more: false });
    await pullAll(w);
    assert.equal(only(await w.claimAll(instanceNo)).attempts, 0);
    const filter = { ownerId: null, subjectId: id, action: "webhook.stop_waiting" } as const;
    const { items } = await w.store.audit.list(filter, newest(10));
    assert.deepEqual(each(items, "after"), [{ stopped: 1 }]);
  });

  test("each waiting delivery counts once as sent, also those behind an earlier one of their buyer", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const { log } = w.store;
    const user = w.user();
    const purchase = await w.acceptOne(shop.id, instanceNo, event(shop.id, "purchase", user));
    await w.settle(instanceNo, [retried(purchase, HOUR)]);
    await w.accept([event(shop.id, "download", user), event(shop.id, "removed", user)]);
    // Each claim that finds them behind the first makes them wait for longer, at last for longer than a busy machine takes.
    for (let claims = 0; claims < 5; claims += 1) {
      assert.deepEqual(await w.claimAll(instanceNo), []);
      await w.harness.advance(31_000);
    }
    assert.deepEqual(await w.claimAll(instanceNo), []);
    assert.equal((await log.countWaiting(shop.hook.id, null)).count, 3);
    const sent: number[] = [];
    const claimed: number[] = [];
    let from: Parameters<typeof log.sendWaitingStep>[2] = null;
    do {
      const step = await log.sendWaitingStep(shop.hook.id, null, from, 1);
      sent.push(step.sent);
      from = step.next;
      claimed.push(...(await w.claimAll(instanceNo)).map(({ seq }) => seq));
    } while (from !== null && sent.length < 10);
    assert.deepEqual([sent, claimed], [[1, 1, 1, 0], [purchase.seq]]);
  });

  test("resuming with send makes due what waits for its next attempt", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const { hook } = shop;
    const waiting = await failedMany(w, instanceNo, shop.id, 3, () => HOUR);
    await w.store.webhooks.pause(hook.id, null);
    assert.equal((await w.store.webhooks.resume(hook.id, null, "send")).state, "active");
    const claimed = await w.claimAll(instanceNo);
    assert.deepEqual(
      claimed.map(({ seq, early }) => [seq, early]),
      waiting.map(({ seq }) => [seq, true]),
    );
  });

  test("the success that ends a run of failures makes due what waits: few at first, then more", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    await failedMany(w, instanceNo, shop.id, 10, () => HOUR);
    await recover(w, instanceNo, shop.id);
    const sizes: number[] = [];
    for (let step = 0; step < 5; step += 1) {
      await pull(w);
      const claimed = await w.claimAll(instanceNo);
      sizes.push(claimed.length);
      assert.ok(claimed.every(({ early }) => early));
      await w.deliver(instanceNo, claimed);
      await w.harness.advance(MINUTE);
    }
    assert.deepEqual(sizes, [1, 2, 4, 3, 0]);
    assert.deepEqual(await w.harness.rows("pulls"), []);
  });

  test("a recovery makes nothing due before what the receiver asked for, and nothing twice", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const [first, asked] = await failedMany(w, instanceNo, shop.id, 2, () => HOUR, {
      askedMs: HOUR / 2,
      only: 1,
    });
    await recover(w, instanceNo, shop.id);
    await pullAll(w);
    const early = only(await w.claimAll(instanceNo));
    assert.equal(early.seq, first?.seq);
    await w.settle(instanceNo, [settled(early, again(), REFUSED, FAILED)]);
    await recover(w, instanceNo, shop.id);
    await pullAll(w);
    assert.deepEqual(await w.claimAll(instanceNo), []);
    await w.harness.advance(HOUR / 2);
    const later = only(await w.claimAll(instanceNo));
    assert.deepEqual([later.seq, later.early], [asked?.seq, true]);
  });

  test("a recovery spends none of its pace on what the receiver asked to wait", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const asked = { askedMs: HOUR, only: 0 };
    const failed = await failedMany(w, instanceNo, shop.id, 2, (at) => HOUR + at, asked);
    await recover(w, instanceNo, shop.id);
    await pull(w);
    assert.equal(only(await w.claimAll(instanceNo)).seq, failed[1]?.seq);
  });

  test("a webhook that fails again, or is paused, while it is caught up with is left to its schedule", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const { hook } = shop;
    await failedMany(w, instanceNo, shop.id, 5, () => HOUR);
    await recover(w, instanceNo, shop.id);
    await pull(w);
    const early = only(await w.claimAll(instanceNo));
    await w.settle(instanceNo, [settled(early, again(), REFUSED, FAILED)]);
    await w.harness.advance(1000);
    await pull(w);
    assert.deepEqual(await w.claimAll(instanceNo), []);
    await recover(w, instanceNo, shop.id);
    await w.store.webhooks.pause(hook.id, null);
    await pullAll(w);
    assert.deepEqual(await w.harness.rows("pulls"), []);
    const now = await w.store.maintenance.now();
    const waiting = await w.rowsOf("pending", hook.no);
    assert.equal(waiting.length, 5);
    assert.ok(waiting.every((row) => Number(row["due_at"]) > now));
  });
}

function oneHook(webhookId: string) {
  return { ownerId: null, webhookId };
}

function again(): Retry {
  return retry(5000, { counts: false, early: true });
}

/** Of different buyers, in order of number; each webhook is failing by them. */
export async function failedMany(
  w: World,
  instanceNo: number,
  resourceId: string,
  count: number,
  delayMs: (index: number) => number,
  asked: { askedMs: number; only: number } | null = null,
): Promise<QueuedDelivery[]> {
  const all: QueuedDelivery[] = [];
  for (let index = 0; index < count; index += 1) {
    await w.accept(w.purchases(resourceId));
    for (const one of await w.claimAll(instanceNo)) {
      const askedMs = asked?.only === index ? { askedMs: asked.askedMs } : {};
      const next = retry(delayMs(index), askedMs);
      await w.settle(instanceNo, [settled(one, next, REFUSED, FAILED)]);
      all.push(one);
    }
  }
  return all;
}

/** Another event is delivered. */
export async function recover(w: World, instanceNo: number, resourceId: string): Promise<void> {
  await w.accept(w.purchases(resourceId));
  const claimed = await w.claimAll(instanceNo);
  await w.settleEach(instanceNo, claimed, (one) => settled(one, DELIVERED, {}, { kind: "ok" }));
}

async function pull(w: World): Promise<void> {
  await w.store.deliveries.pullForward(LIMIT, { perSecond: 1, doubleEveryMs: MINUTE });
}

async function pullAll(w: World): Promise<void> {
  for (let step = 0; step < 5; step += 1) {
    await pull(w);
    await w.harness.advance(MINUTE);
  }
}
