import assert from "node:assert/strict";
import { test } from "node:test";
import { deliveryId } from "@markethook/protocol";
import { type ErasurePosition, type ErasureStep, USER_ERASED } from "../port/erasure.ts";
import type { QueuedDelivery } from "../port/deliveries.ts";
import { refused } from "./checks.ts";
import { each, newest } from "./lists.ts";
import { allOf, event, fileVersion, keyed, update } from "./reports.ts";
import { attempt, DELIVERED, retried, retry, settled } from "./settlements.ts";
import type { World } from "./world.ts";

const NAME = "Quirina Zwölfender";

export function testErasure(w: World): void {
  test("nothing of a person is left in any column of any table; facts, counts and others stay", async () => {
    const user = 7_410_852_963_741;
    const { instanceNo, shop } = await w.shopAndInstance(2);
    const paused = await w.webhook(shop.id);
    await w.store.webhooks.pause(paused.id, null);
    const buyer = { details: JSON.stringify({ buyerName: NAME }) };
    const preLeased = await w.lease(instanceNo, [
      event(shop.id, "purchase", user, { ...buyer, ...keyed(w.name("order")) }),
      event(shop.id, "download", user, buyer),
      event(shop.id, "purchase", 5, { details: JSON.stringify({ buyerName: "Jo" }) }),
      update(shop.id, fileVersion("u1"), { previous: fileVersion("u0") }),
    ]);
    for (let round: readonly QueuedDelivery[] = preLeased; round.length > 0;) {
      await w.settleEach(instanceNo, round, (delivery) => answered(delivery, user));
      // What waited behind another is looked at again after a second.
      await w.harness.advance(2000);
      round = await w.claimAll(instanceNo);
    }
    const [first] = preLeased;
    assert.ok(first !== undefined);
    assert.ok(await isThere(w, String(user)), "the person was there at all");
    assert.ok(await isThere(w, NAME));

    const total = await erase(w, user);
    assert.deepEqual([total.events, total.cancelled], [2, 2]);
    assert.deepEqual(await whereIs(w, String(user)), []);
    assert.deepEqual(await whereIs(w, NAME), []);
    assert.ok(await isThere(w, '{"buyerName":"Jo"}'));
    assert.deepEqual(await erase(w, user), { events: 0, cancelled: 0, deliveries: 0 });

    const found = await w.store.log.find(deliveryId(first), null);
    assert.deepEqual([found?.userId, found?.details, found?.state], [null, null, "delivered"]);
    assert.equal((await w.store.events.details([first.eventSeq])).size, 0);
    assert.match(found?.payload ?? "", /"user":\{"id":0\}/);
    assert.equal(JSON.parse(found?.attemptRecords[0]?.detail ?? "{}").erased, true);
    await refused(w.store.log.redeliver(deliveryId(first), null, true), "event_erased");
    const replay = { ...allOf(shop.hook.id), states: ["delivered" as const] };
    const { count } = await w.store.log.countReplay(replay);
    assert.equal(count, 2, "the other buyer's and the update");
  });

  test("a second first download stays a duplicate, and a repeated report too", async () => {
    const [shop, user, key] = [await w.shop(), w.user(), w.name("order")];
    const report = [
      event(shop.id, "download", user),
      event(shop.id, "purchase", user, keyed(key)),
    ] as const;
    await w.accept(report);
    await erase(w, user);
    const again = await w.store.events.accept(
      [event(shop.id, "download", user), event(shop.id, "purchase", user, keyed(key, "other"))],
      null,
    );
    assert.deepEqual(each(again.results, "kind"), ["duplicate", "duplicate"]);
  });

  test("an erasure waits for requests under way, which are then neither retried nor kept", async () => {
    const user = 7_410_852_963_742;
    const { instanceNo, shop } = await w.shopAndInstance();
    const leasedOne = await w.acceptOne(shop.id, instanceNo, event(shop.id, "purchase", user));
    const { erasure } = w.store.actingAs(ACTOR);
    let step = await toTheEnd(async (position) => await erasure.step(user, position), 1);
    assert.equal(step.open, 1);
    await w.settle(instanceNo, [retried(leasedOne, 0)]);
    step = await toTheEnd(async (position) => await erasure.step(user, position), 0, step.next);
    assert.ok(!(await isThere(w, String(user))));
    assert.deepEqual(await w.claimAll(instanceNo), []);
    assert.equal(await w.state(leasedOne.seq), "cancelled");
  });

  test("the instance with a delivery that has not begun is told, and the deliveries that it cancels are counted", async () => {
    const user = w.user();
    const { instanceNo, shop } = await w.shopAndInstance();
    const held = await w.acceptOne(shop.id, instanceNo, event(shop.id, "purchase", user));
    const told: number[] = [];
    w.store.onHint((hint) => {
      if (hint.kind === "erasing") told.push(...hint.eventSeqs);
    });
    const { erasure } = w.store.actingAs(ACTOR);
    const first = await toTheEnd(async (position) => await erasure.step(user, position), 1);
    assert.equal(first.open, 1);
    // On PostgreSQL also earlier tests' hints can still come, and this one a second time.
    assert.ok(told.includes(held.eventSeq));
    const cancelled = { kind: "end", state: "cancelled", reason: USER_ERASED } as const;
    await w.settle(instanceNo, [{ ...settled(held, cancelled), attempt: null }]);
    const total = await erase(w, user);
    assert.deepEqual(total, { events: 1, cancelled: 1, deliveries: 1 });
    assert.deepEqual(await erase(w, user), { events: 0, cancelled: 0, deliveries: 0 });
  });

  test("counting changes nothing, and the audit log names nobody", async () => {
    const user = 7_410_852_963_743;
    const shop = await w.shop(2);
    await w.accept([event(shop.id, "purchase", user), event(shop.id, "removed", user)]);
    const { erasure } = w.store.actingAs(ACTOR);
    const counted = await erasure.count(user, null);
    assert.deepEqual([counted.events, counted.deliveries, counted.open], [2, 4, 4]);
    assert.ok(await isThere(w, String(user)));
    await erase(w, user);
    const { audit } = w.store;
    const page = newest(10);
    const [last] = (await audit.list({ ownerId: null, action: "user.erased" }, page)).items;
    const about = { ownerId: null, subjectId: last?.subject.id ?? "" };
    const { items: rows } = await audit.list(about, page);
    assert.deepEqual(
      rows.map(({ action, after }) => [action, after]),
      [
        ["user.erased", { events: 2, deliveries: 4 }],
        ["user.erase", null],
      ],
    );
    assert.ok(!JSON.stringify(rows).includes(String(user)));
  });

  test("of an owner whose resources and webhooks were deleted the id stays where the documentation says, and no URL and secret", async () => {
    const ownerId = w.name("leaving-owner");
    const resources = w.store.actingAs(ACTOR).resources;
    const [kept, sold] = [await w.resource(ownerId), await w.resource(ownerId)];
    await w.webhook(kept.id);
    const left = await w.webhook(sold.id);
    await w.give(sold.id, w.name("heir"));
    await resources.delete(kept.id);
    const withUrl = async (): Promise<unknown[]> =>
      (await w.harness.rows("webhooks"))
        .filter((row) => row["owner_id"] === ownerId && (row["url"] !== "" || row["secret"] !== ""))
        .map((row) => row["id"]);
    const forget = async (): Promise<void> => {
      await w.harness.advance(120_000);
      while ((await w.store.deliveries.cancelMarked(10)) > 0);
    };
    await forget();
    assert.deepEqual(await withUrl(), [left.id], "at a resource that has another owner");
    await w.store.webhooks.delete(left.id, null);
    await forget();
    assert.deepEqual(await withUrl(), []);
    assert.deepEqual((await whereIs(w, ownerId)).sort(), [
      "audit.became",
      "audit.owner_id",
      "audit.was",
      "notices.detail",
      "notices.owner_id",
      "past_owners.owner_id",
      "resources.owner_id",
      "webhooks.owner_id",
    ]);
  });
}

const ACTOR = { kind: "api_key", id: "key_1", name: "n", requestId: null } as const;

/** An answer that repeats what it got, once with a retry before it. */
function answered(delivery: QueuedDelivery, user: number) {
  const theirs = delivery.orderKey === user;
  const detail = JSON.stringify({
    ...(JSON.parse(attempt(delivery).detail) as object),
    ...(theirs ? { body: `thanks ${NAME}, number ${user}`, headers: [["x-buyer", NAME]] } : {}),
  });
  const isAgain = delivery.attempts === 0 && delivery.seq % 2 === 0;
  return isAgain
    ? settled(delivery, retry(0), { outcome: "http_error", status: 500, detail })
    : settled(delivery, DELIVERED, { detail });
}

export async function erase(w: World, user: number) {
  const { erasure } = w.store.actingAs(ACTOR);
  const total = { events: 0, cancelled: 0, deliveries: 0 };
  for (let position: ErasurePosition | null = null; ;) {
    const step: ErasureStep = await erasure.step(user, position);
    total.events += step.events;
    total.deliveries += step.deliveries;
    total.cancelled += step.cancelled;
    position = step.next;
    if (position === null) break;
  }
  await erasure.finish(user, { events: total.events, deliveries: total.deliveries });
  return total;
}

/** Until it is done, or so many events were found open. */
async function toTheEnd(
  run: (position: ErasurePosition | null) => Promise<ErasureStep>,
  open: number,
  position: ErasurePosition | null = null,
): Promise<ErasureStep> {
  for (;;) {
    const step = await run(position);
    if (step.next === null || (open > 0 && step.open >= open)) return step;
    position = step.next;
  }
}

async function isThere(w: World, text: string): Promise<boolean> {
  return (await whereIs(w, text)).length > 0;
}

/** As `table.column`. */
export async function whereIs(w: World, text: string): Promise<string[]> {
  const found = new Set<string>();
  for (const table of await w.harness.tables()) {
    // Whatever tables there are.
    for (const row of await w.harness.rows(table as "events")) {
      for (const [column, value] of Object.entries(row)) {
        if (String(value).includes(text)) found.add(`${table}.${column}`);
      }
    }
  }
  return [...found];
}
