import assert from "node:assert/strict";
import { test } from "node:test";
import { deliveryId, eventId } from "@markethook/protocol";
import * as fc from "fast-check";
import type { DeliveryFilter, DeliverySummary, ShownState } from "../port/delivery-log.ts";
import { only } from "./checks.ts";
import { each, itemsOf } from "./lists.ts";
import { budget, event, fileVersion, update } from "./reports.ts";
import {
  attempt,
  claim,
  DEAD,
  delivered,
  HOUR,
  RELEASE,
  retried,
  retry,
  settled,
} from "./settlements.ts";
import type { World } from "./world.ts";

export function testDeliveryLog(w: World): void {
  test("a row says what was told for the log only, and an update's version", async () => {
    const shop = await w.shop();
    const details = JSON.stringify({ buyerName: "Jo", amount: "4.99", currency: "EUR" });
    await w.accept([
      { ...event(shop.id, "purchase", w.user()), details },
      update(shop.id, fileVersion("2", { version: "1.1" }), { previous: fileVersion("1") }),
      event(shop.id, "purchase", w.user()),
    ]);
    const items = await list(w, { ownerId: shop.ownerId });
    assert.deepEqual(
      items.map((item) => [item.details, item.version]),
      [
        [null, null],
        [null, "1.1"],
        [details, null],
      ],
    );
    const found = await w.store.log.find(items[2]?.deliveryId ?? "", null);
    assert.equal(found?.details, details);
  });

  test("a due delivery tells until when its receiver asked for a pause, in answer to another", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const ask = async (delayMs: number, askedMs?: number): Promise<string> => {
      const one = await w.acceptOne(shop.id, instanceNo, event(shop.id, "purchase", w.user()));
      const next = retry(delayMs);
      await w.settle(instanceNo, [
        settled(one, askedMs === undefined ? next : { ...next, askedMs }),
      ]);
      return deliveryId(one);
    };
    const now = await w.store.maintenance.now();
    await ask(HOUR);
    const asked = await ask(3 * HOUR, 2 * HOUR);
    await w.accept(w.purchases(shop.id));
    const until = async (id: string | undefined): Promise<number | null | undefined> =>
      (await w.store.log.find(id ?? "", null))?.askedUntil;
    const due = (await list(w, { ownerId: shop.ownerId }))[0]?.deliveryId;
    const left = ((await until(due)) ?? 0) - now;
    assert.ok(left >= 2 * HOUR && left < 3 * HOUR, String(left));
    // It has a time of its own, and nobody asked for a pause of the other webhook.
    assert.equal(await until(asked), null);
    const other = await w.shop();
    await w.accept(w.purchases(other.id));
    assert.equal(await until((await list(w, { ownerId: other.ownerId }))[0]?.deliveryId), null);
    await w.harness.advance(2 * HOUR);
    assert.equal(await until(due), null);
  });

  test("every shown state is derived as the words say, and found by its filter", async () => {
    const { instanceNo, shop } = await w.shopAndInstance(2);
    const [open, paused] = shop.hooks;
    const acceptOne = async (user = w.user()): Promise<ReturnType<World["acceptOne"]>> =>
      await w.acceptOne(shop.id, instanceNo, event(shop.id, "purchase", user));
    await w.store.webhooks.pause(paused?.id ?? "", null);
    const user = w.user();
    const leased = await acceptOne(user);
    await w.accept([event(shop.id, "removed", user)]);
    const retrying = await acceptOne();
    await w.settle(instanceNo, [retried(retrying, 60_000)]);
    const ended = [await acceptOne(), await acceptOne(), await acceptOne()];
    const [done, dead, cancelled] = ended;
    assert.ok(done && dead && cancelled);
    await w.settle(instanceNo, [
      delivered(done),
      settled(dead, { kind: "end", state: "dead", reason: "attempts_used_up" }),
      settled(cancelled, { kind: "end", state: "cancelled", reason: "aborted" }),
    ]);
    const expected: [ShownState, number][] = [
      ["leased", leased.seq],
      ["pending", retrying.seq],
      ["delivered", done.seq],
      ["dead", dead.seq],
      ["cancelled", cancelled.seq],
    ];
    for (const [state, seq] of expected) {
      const item = only(await list(w, { ownerId: shop.ownerId, webhookId: open?.id ?? "", state }));
      assert.deepEqual([item.seq, item.state], [seq, state]);
    }
    const filter = { ownerId: shop.ownerId };
    assert.deepEqual(
      (await list(w, { ...filter, state: "waiting" })).map((item) => [item.eventName, item.userId]),
      [["product.user.purchaseRemoved", user]],
    );
    const held = await list(w, { ...filter, state: "held" });
    assert.equal(held.length, 6);
    assert.ok(held.every((item) => item.webhookId === paused?.id && item.dueAt === null));
    assert.equal((await list(w, filter)).length, 12);
  });

  test("each filter narrows the list, alone and together", async () => {
    const instanceNo = await w.instanceNo();
    const [shop, other] = [await w.shop(2), await w.shop(1)];
    const ownerId = shop.ownerId;
    await w.give(other.id, ownerId);
    const mine = await w.webhook(other.id);
    const user = w.user();
    const t0 = await w.store.maintenance.now();
    const preLeased = await w.lease(instanceNo, [
      event(shop.id, "purchase", user),
      update(shop.id, fileVersion("2"), { previous: fileVersion("1") }),
      event(other.id, "download", user),
    ]);
    await w.harness.advance(10_000);
    const late = await w.acceptOne(other.id, instanceNo);
    const [first, second] = preLeased;
    assert.ok(first && second);
    await w.settle(instanceNo, [delivered(first), retried(second, 1000)]);
    const count = async (filter: Partial<DeliveryFilter>): Promise<number> =>
      (await list(w, { ownerId, ...filter })).length;
    assert.equal(await count({}), 6);
    assert.equal(await count({ resourceId: shop.id }), 4);
    assert.equal(await count({ webhookId: mine.id }), 2);
    assert.equal(await count({ userId: user }), 3);
    assert.equal(await count({ eventName: "product.update" }), 2);
    assert.equal(await count({ eventName: "product.update", userId: user }), 0);
    assert.equal(await count({ status: 200 }), 1);
    assert.equal(await count({ status: 500 }), 1, "also of one that is tried again");
    assert.equal(await count({ status: 500, state: "pending" }), 1);
    assert.equal(await count({ statusClass: 2 }), 1);
    assert.equal(await count({ statusClass: 5 }), 1, "also of one that is tried again");
    assert.equal(await count({ statusClass: 5, status: 200 }), 0);
    assert.equal(await count({ statusClass: 4 }), 0);
    assert.equal(await count({ from: t0 + 9000 }), 1);
    assert.equal(await count({ to: t0 + 9000 }), 5);
    assert.equal(await count({ from: t0 + 9000, webhookId: shop.hook.id }), 0);
    assert.equal(only(await list(w, { ownerId, from: t0 + 9000 })).seq, late.seq);
  });

  test("a summary says what its row means", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const user = w.user();
    const delivery = await w.acceptOne(shop.id, instanceNo, event(shop.id, "download", user));
    await w.settle(instanceNo, [retried(delivery, 60_000)]);
    const item = only(await list(w, { ownerId: shop.ownerId }));
    assert.ok(item.dueAt !== null && item.dueAt >= item.createdAt + 60_000);
    assert.deepEqual(
      { ...item, dueAt: 0, createdAt: 0 },
      {
        seq: delivery.seq,
        deliveryId: deliveryId(delivery),
        eventId: eventId({ seq: delivery.eventSeq, tag: delivery.tag }),
        eventName: "product.user.firstDownload",
        eventTime: delivery.eventTime,
        webhookId: shop.hook.id,
        resourceId: shop.id,
        userId: user,
        state: "pending",
        reason: null,
        origin: "event",
        attempts: 1,
        lastOutcome: "http_error",
        lastStatus: 500,
        details: null,
        version: null,
        dueAt: 0,
        createdAt: 0,
        endedAt: null,
      },
    );
  });

  test("the detail of a delivery carries its payload, its details and all attempts, and is the owner's alone", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const details = '{"buyerName":"Ada"}';
    const delivery = await w.acceptOne(
      shop.id,
      instanceNo,
      event(shop.id, "purchase", w.user(), { details }),
    );
    const id = deliveryId(delivery);
    const leased = await w.store.log.find(id, shop.ownerId);
    assert.deepEqual([leased?.state, leased?.attemptRecords], ["leased", []]);
    await w.settle(instanceNo, [retried(delivery, 0)]);
    const pending = await w.store.log.find(id, null);
    assert.deepEqual([pending?.state, pending?.attemptRecords.length], ["pending", 1]);
    const again = only(await w.claimAll(instanceNo));
    await w.deliver(instanceNo, [again]);
    const found = await w.store.log.find(id, shop.ownerId);
    assert.deepEqual(
      [found?.state, found?.payload, found?.details, found?.attemptRecords],
      [
        "delivered",
        delivery.payload,
        details,
        [attempt(delivery, { outcome: "http_error", status: 500 }), attempt(again)],
      ],
    );
    assert.equal(await w.store.log.find(id, "stranger"), null);
    const wrongTag = deliveryId({ seq: delivery.seq, tag: "zzzzzzzzzz" });
    assert.equal(await w.store.log.find(wrongTag, null), null);
    assert.equal(await w.store.log.find("dlv_1", null), null);
    assert.equal(await w.store.log.find("", null), null);
  });

  test("another owner sees nothing, not even with the right ids", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    await w.acceptOne(shop.id, instanceNo);
    const filters: Partial<DeliveryFilter>[] = [
      {},
      { resourceId: shop.id },
      { webhookId: shop.hook.id },
    ];
    for (const filter of filters) {
      assert.deepEqual(await list(w, { ownerId: "stranger", ...filter }), []);
      assert.equal((await list(w, { ownerId: shop.ownerId, ...filter })).length, 1);
    }
  });

  test("pages follow one another without gaps or repeats, whatever the history and the page size", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("deliver", "retry", "leave", "wait", "die"), {
          minLength: 1,
          maxLength: 25,
        }),
        fc.integer({ min: 1, max: 7 }),
        async (history, limit) => {
          const { instanceNo, shop } = await w.shopAndInstance(2);
          const [first] = shop.hooks;
          for (const what of history) {
            const item = event(shop.id, "purchase", w.user());
            const { preLeased } = await w.store.events.accept(
              [item],
              what === "wait" ? null : budget(instanceNo),
            );
            if (what === "deliver") await w.deliver(instanceNo, preLeased);
            if (what === "retry")
              await w.settleEach(instanceNo, preLeased, (delivery) => retried(delivery, 1000));
            if (what === "die") {
              await w.settleEach(instanceNo, preLeased, (delivery) => settled(delivery, DEAD));
            }
          }
          const filters: DeliveryFilter[] = [
            { ownerId: shop.ownerId },
            { ownerId: null, webhookId: first?.id ?? "" },
            { ownerId: null, resourceId: shop.id, state: "pending" },
          ];
          for (const filter of filters) {
            const whole = await list(w, filter);
            const paged = await itemsOf(async (beforeSeq) => {
              const page = await w.store.log.list(filter, { beforeSeq, limit });
              assert.ok(page.items.length <= limit);
              return page;
            });
            assert.deepEqual(paged, whole);
            const seqs = each(whole, "seq");
            assert.deepEqual(
              seqs,
              [...new Set(seqs)].sort((a, b) => b - a),
            );
          }
          assert.equal((await list(w, { ownerId: shop.ownerId })).length, history.length * 2);
        },
      ),
      { numRuns: 12 },
    );
  });

  test("a delivery that moves while it is listed is seen exactly once", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const preLeased = await w.lease(instanceNo, w.purchases(shop.id, 50));
    let moving = true;
    const filter = { ownerId: null, webhookId: shop.hook.id };
    const mover = (async () => {
      for (let round = 0; round < 15; round += 1) {
        await w.settleEach(instanceNo, preLeased, (delivery) => settled(delivery, RELEASE, null));
        await w.store.deliveries.claim(claim(instanceNo));
      }
      await w.deliver(instanceNo, preLeased);
      moving = false;
    })();
    do {
      const items = await list(w, filter);
      assert.equal(new Set(items.map((item) => item.seq)).size, 50);
      assert.equal(items.length, 50);
    } while (moving);
    await mover;
  });

  test("a ping is recorded as an ended delivery that no filter by buyer meets", async () => {
    const shop = await w.shop();
    const { hook } = shop;
    const reserved = await w.store.log.reservePing(hook.id, shop.ownerId);
    assert.equal(reserved.webhookNo, hook.no);
    assert.deepEqual(await list(w, { ownerId: shop.ownerId }), []);
    const payload = '{"product":{},"webhook":{"url":"https://receiver.example/hook"}}';
    const attempt = { number: 1, outcome: "http_error", status: 404, detail: "{}" };
    const seq = await w.ping(hook, { payload, state: "dead", attempt });
    assert.ok(seq > reserved.seq, "a number is never given twice");
    const item = only(await list(w, { ownerId: shop.ownerId }));
    assert.deepEqual(
      [item.eventName, item.origin, item.state, item.attempts, item.lastStatus, item.userId],
      ["ping", "ping", "dead", 1, 404, null],
    );
    const found = await w.store.log.find(item.deliveryId, shop.ownerId);
    assert.deepEqual([found?.payload, found?.attemptRecords.length], [payload, 1]);
  });

  test("sender profiles get one number each, for ever", async () => {
    const profile = { serviceName: "Market", userAgent: "Markethook/1" };
    const no = await w.store.log.ensureProfile(profile);
    const other = await w.store.log.ensureProfile({ ...profile, userAgent: "Markethook/2" });
    assert.equal(await w.store.log.ensureProfile(profile), no);
    assert.notEqual(other, no);
    await w.harness.reopen();
    assert.deepEqual((await w.store.log.profiles()).get(no), profile);
  });
}

async function list(w: World, filter: DeliveryFilter): Promise<DeliverySummary[]> {
  return await w.listed(filter, 1000);
}
