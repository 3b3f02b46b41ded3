import assert from "node:assert/strict";
import { test } from "node:test";
import { eventId, parseEventId } from "@markethook/protocol";
import type { QueuedDelivery } from "../port/deliveries.ts";
import type { MissingFilter } from "../port/delivery-log.ts";
import type { Webhook } from "../port/webhooks.ts";
import { only, refused } from "./checks.ts";
import { stepsOf } from "./lists.ts";
import { allOf, event, fileVersion, update } from "./reports.ts";
import { DEAD, settled } from "./settlements.ts";
import type { World } from "./world.ts";

const LIMIT = 100;

export function testMissing(w: World): void {
  test("a webhook that was added later gets what it missed, with the webhook-id that others had", async () => {
    const { instanceNo, shop } = await w.shopAndInstance();
    const ids = await w.accept([
      event(shop.id, "purchase", w.user()),
      event(shop.id, "purchase", w.user()),
      update(shop.id, fileVersion("2"), { previous: fileVersion("1") }),
    ]);
    const had = await w.claimAll(instanceNo);
    await w.deliver(instanceNo, had);
    const late = await w.webhook(shop.id);
    assert.deepEqual(await count(w, late), { count: 3, outOfOrder: 0, capped: false });
    assert.deepEqual(await w.claimAll(instanceNo), [], "counting sends nothing");
    assert.deepEqual(await make(w, late), [3]);
    const made = await w.claimAll(instanceNo);
    assert.deepEqual(made.map(webhookIdOf), ids);
    assert.deepEqual(made.map(webhookIdOf), had.map(webhookIdOf));
    assert.ok(made.every(({ webhookNo, attempts }) => webhookNo === late.no && attempts === 0));
    assert.deepEqual(await make(w, late), [0], "what is on its way is not missing");
    await w.deliver(instanceNo, made);
    assert.deepEqual((await count(w, late)).count, 0);
    assert.deepEqual((await count(w, shop.hook)).count, 0);
  });

  test("an event that was chosen later is made good; one that is not chosen, or erased, is left out", async () => {
    const instanceNo = await w.instanceNo();
    const resource = await w.resource();
    const hook = await w.webhook(resource.id, { events: ["product.update"] });
    const [buyer, erased] = [w.user(), w.user()];
    await w.accept([
      event(resource.id, "purchase", buyer),
      event(resource.id, "purchase", erased),
      event(resource.id, "download", buyer),
    ]);
    assert.equal((await count(w, hook)).count, 0);
    await w.store.webhooks.change(hook.id, null, {
      events: ["product.update", "product.user.purchase"],
    });
    assert.equal((await count(w, hook)).count, 2);
    assert.equal((await count(w, hook, { events: ["product.user.firstDownload"] })).count, 0);
    await w.store.actingAs(ACTOR).erasure.step(erased, null);
    assert.deepEqual(await make(w, hook), [1]);
    assert.equal(only(await w.claimAll(instanceNo)).orderKey, buyer);
  });

  test("only events of the range are made good, step by step, oldest first", async () => {
    const instanceNo = await w.instanceNo();
    const resource = await w.resource();
    const buy = async (count: number): Promise<string[]> =>
      await w.accept(w.purchases(resource.id, count));
    await buy(2);
    await w.harness.advance(3_600_000);
    const from = await w.store.maintenance.now();
    const ids = await buy(7);
    await w.harness.advance(3_600_000);
    const to = await w.store.maintenance.now();
    await buy(2);
    const hook = await w.webhook(resource.id);
    assert.equal((await count(w, hook, { from, to })).count, 7);
    assert.deepEqual(await make(w, hook, { from, to }, 3), [3, 3, 1]);
    assert.deepEqual((await w.claimAll(instanceNo)).map(webhookIdOf), ids);
  });

  test("missing events go in their buyer's order, before later ones", async () => {
    const instanceNo = await w.instanceNo();
    const resource = await w.resource();
    const user = w.user();
    await w.accept([event(resource.id, "purchase", user)]);
    const hook = await w.webhook(resource.id);
    assert.deepEqual(await make(w, hook), [1]);
    await w.accept([event(resource.id, "removed", user)]);
    const purchase = only(await w.claimAll(instanceNo));
    assert.equal(purchase.eventName, "product.user.purchase");
    await w.deliver(instanceNo, [purchase]);
    await w.harness.advance(31_000);
    assert.equal(only(await w.claimAll(instanceNo)).eventName, "product.user.purchaseRemoved");
  });

  test("a purchase is not sent after its refund, unless that is confirmed", async () => {
    const instanceNo = await w.instanceNo();
    const resource = await w.resource();
    const [refunded, open, other] = [w.user(), w.user(), w.user()];
    await w.accept([refunded, open, other].map((user) => event(resource.id, "purchase", user)));
    const hook = await w.webhook(resource.id);
    await w.accept([event(resource.id, "removed", refunded)]);
    await w.drain(instanceNo);
    await w.accept([event(resource.id, "removed", open)]);
    assert.deepEqual(await count(w, hook), { count: 1, outOfOrder: 2, capped: false });
    const confirmed = { confirmed: true };
    assert.deepEqual(await count(w, hook, confirmed), { count: 3, outOfOrder: 2, capped: false });
    assert.deepEqual(await make(w, hook), [1]);
    const made = await w.claimAll(instanceNo);
    assert.ok(made.some(({ orderKey, origin }) => orderKey === other && origin === "redelivery"));
    assert.deepEqual(await make(w, hook, confirmed), [2]);
  });

  test("two who do it at once make each delivery once", async () => {
    const instanceNo = await w.instanceNo();
    const resource = await w.resource();
    await w.accept(w.purchases(resource.id, 20));
    const hook = await w.webhook(resource.id);
    const filter = filterOf(hook);
    const steps = await Promise.all([1, 2, 3].map(() => w.store.log.missingStep(filter, 0, LIMIT)));
    assert.equal(
      steps.reduce((sum, { sent }) => sum + sent, 0),
      20,
    );
    assert.equal((await w.claimAll(instanceNo)).length, 20);
  });

  test("an owner who lost the resource gets none of its events", async () => {
    const resource = await w.resource();
    const hook = await w.webhook(resource.id);
    const next = { id: resource.id, ownerId: w.name("owner"), title: "T", subtitle: "" };
    await w.store.resources.put([next]);
    await w.accept(w.purchases(resource.id));
    await refused(count(w, hook), "webhook_not_active");
    await refused(make(w, hook), "webhook_not_active");
    const foreign = { ...filterOf(hook), ownerId: next.ownerId };
    await refused(w.store.log.countMissing(foreign), "not_found");
  });

  test("a missing delivery that was made and failed is among those that a replay sends again", async () => {
    const instanceNo = await w.instanceNo();
    const resource = await w.resource();
    await w.accept(w.purchases(resource.id));
    const hook = await w.webhook(resource.id);
    await make(w, hook);
    const made = only(await w.claimAll(instanceNo));
    await w.settle(instanceNo, [settled(made, DEAD)]);
    const filter = { ...allOf(hook.id), states: ["dead" as const] };
    assert.equal((await w.store.log.countReplay(filter)).count, 1);
    assert.equal((await w.store.log.replayStep(filter, 0, LIMIT)).sent, 1);
    const again = only(await w.claimAll(instanceNo));
    await w.settle(instanceNo, [settled(again, DEAD)]);
    assert.equal((await w.store.log.countReplay(filter)).count, 1, "once for each event");
  });
}

const ACTOR = { kind: "system", id: null, name: "test", requestId: null } as const;

function filterOf(hook: Webhook, change: Partial<MissingFilter> = {}): MissingFilter {
  return { ...allOf(hook.id), confirmed: false, ...change };
}

async function count(w: World, hook: Webhook, change: Partial<MissingFilter> = {}) {
  return await w.store.log.countMissing(filterOf(hook, change));
}

/** How many each step made. */
async function make(
  w: World,
  hook: Webhook,
  change: Partial<MissingFilter> = {},
  limit = LIMIT,
): Promise<number[]> {
  return await stepsOf((after) => w.store.log.missingStep(filterOf(hook, change), after, limit));
}

function webhookIdOf({ eventSeq, tag }: QueuedDelivery): string {
  const id = eventId({ seq: eventSeq, tag });
  assert.ok(parseEventId(id) !== null);
  return id;
}
