import assert from "node:assert/strict";
import { test } from "node:test";
import { only } from "./checks.ts";
import { each, itemsOf, newest, pagesOf } from "./lists.ts";
import { event, fileVersion, update } from "./reports.ts";
import { DEAD, delivered, retried, settled } from "./settlements.ts";
import type { World } from "./world.ts";

export function testStoredEvents(w: World): void {
  const idsOf = ({ items }: { items: { eventId: string }[] }) => each(items, "eventId");
  const list = async (filter: { ownerId: string | null; resourceId?: string; userId?: number }) =>
    await w.store.events.list(filter, newest(50));
  const explain = async (eventId: string, ownerId: string | null = null) =>
    (await w.store.events.explain(eventId, ownerId))?.webhooks ?? [];

  test("events are listed newest first for an owner, a resource or a user, without pings", async () => {
    const [one, two] = [await w.shop(), await w.shop()];
    const [a, b, c] = await w.accept([
      event(one.id, "purchase", 7),
      event(two.id, "purchase", 7),
      event(one.id, "purchase", 8),
    ]);
    await w.ping(one.hook);
    assert.deepEqual(idsOf(await list({ ownerId: one.ownerId })), [c, a]);
    assert.deepEqual(idsOf(await list({ ownerId: null, resourceId: two.id })), [b]);
    assert.deepEqual(idsOf(await list({ ownerId: one.ownerId, userId: 8 })), [c]);
    assert.deepEqual(idsOf(await list({ ownerId: one.ownerId, resourceId: two.id })), []);
    assert.deepEqual(idsOf(await list({ ownerId: null })).slice(0, 3), [c, b, a]);
  });

  test("a list goes on page by page, also over many resources", async () => {
    const ownerId = w.name("owner");
    const resources = await Promise.all(Array.from({ length: 60 }, () => w.resource(ownerId)));
    const ids = await w.accept(resources.map(({ id }) => event(id, "purchase", 1)));
    const seen = await itemsOf((beforeSeq) =>
      w.store.events.list({ ownerId }, { beforeSeq, limit: 25 }),
    );
    assert.deepEqual(each(seen, "eventId"), ids.reverse());
  });

  test("an event is explained by each webhook's delivery, choice and age, deleted ones last", async () => {
    const { id } = await w.resource();
    const early = await w.webhook(id);
    const deleted = await w.webhook(id);
    const picky = await w.webhook(id, { events: ["product.update"] });
    await w.store.webhooks.delete(deleted.id, null);
    await w.harness.advance(10);
    const [eventId = ""] = await w.accept([event(id, "purchase", 7)]);
    await w.harness.advance(10);
    const late = await w.webhook(id);
    const lines = await explain(eventId);
    assert.deepEqual(each(lines, "webhookId"), [late.id, picky.id, early.id, deleted.id]);
    assert.deepEqual(
      lines.map((line) => line.delivery?.state ?? null),
      [null, null, "pending", null],
    );
    assert.deepEqual(each(lines, "chosenNow"), [true, false, true, true]);
    assert.notEqual(lines[3]?.deletedAt, null);
    assert.equal(await w.store.events.explain(eventId, w.name("owner")), null);
    assert.equal(await w.store.events.explain("evt_1abcdefghij", null), null);
  });

  test("a waiting delivery names the nearest one before it, and a redelivery takes the line over", async () => {
    const { id, hooks } = await w.shop();
    const instanceNo = await w.instanceNo();
    const ids = await w.accept(
      (["purchase", "removed", "removed"] as const).map((what) => event(id, what, 7)),
    );
    const [first, second, third] = await Promise.all(
      ids.map(async (one) => only(await explain(one))),
    );
    assert.equal(second?.behindDeliveryId, first?.delivery?.deliveryId);
    assert.equal(third?.behindDeliveryId, second?.delivery?.deliveryId);
    assert.equal(first?.behindDeliveryId, null);
    for (let i = 0; i < 3; i += 1) {
      await w.drain(instanceNo);
      // What is blocked is looked at again after a while.
      await w.harness.advance(60_000);
    }
    const done = only(await explain(ids[2] ?? ""));
    assert.equal(done.delivery?.state, "delivered");
    const again = await w.store.log.redeliver(done.delivery?.deliveryId ?? "", null, true);
    assert.equal(only(await explain(ids[2] ?? "")).delivery?.deliveryId, again.deliveryId);
    assert.equal(hooks.length, 1);
  });

  test("held deliveries tell since when their webhook is paused or disabled", async () => {
    const { id, hooks } = await w.shop(2);
    const [paused, disabled] = hooks.map((hook) => hook.id);
    const instanceNo = await w.instanceNo();
    await w.accept(w.purchases(id));
    const target = (await w.claimAll(instanceNo)).find((one) => one.webhookNo === hooks[1]?.no);
    assert.ok(target !== undefined);
    const failure = { outcome: "gone", status: 410 };
    await w.settle(instanceNo, [settled(target, DEAD, failure, await w.gone(target.webhookNo))]);
    const before = await w.store.maintenance.now();
    await w.store.webhooks.pause(paused ?? "", null);
    const [eventId = ""] = await w.accept(w.purchases(id));
    await w.harness.advance(60_000);
    await w.store.webhooks.change(paused ?? "", null, { description: "later" });
    await w.store.webhooks.pause(paused ?? "", null);
    const lines = new Map((await explain(eventId)).map((line) => [line.webhookId, line]));
    const [p, d] = [lines.get(paused ?? ""), lines.get(disabled ?? "")];
    assert.deepEqual([p?.state, p?.delivery?.state], ["paused", "held"]);
    const since = p?.stateSince ?? 0;
    assert.ok(since >= before && since < before + 60_000, "the pause's own time");
    assert.deepEqual(
      [d?.state, d?.disabledReason, d?.delivery?.state],
      ["disabled", "gone", "held"],
    );
    assert.notEqual(d?.stateSince, null);
    await w.store.webhooks.resume(paused ?? "", null, "send");
    assert.equal((await explain(eventId)).find((l) => l.webhookId === paused)?.stateSince, null);
  });

  test("a log is searched by delivery and event id, and only its owner finds anything", async () => {
    const { id, ownerId } = await w.shop(2);
    const instanceNo = await w.instanceNo();
    const [eventId = ""] = await w.accept([event(id, "purchase", 7)]);
    await w.accept([event(id, "purchase", 8)]);
    await w.drain(instanceNo);
    const page = newest(50);
    const { items } = await w.store.log.list({ ownerId, eventId }, page);
    assert.equal(items.length, 2);
    assert.ok(items.every((item) => item.eventId === eventId));
    const [first] = items;
    const deliveryId = first?.deliveryId ?? "";
    const again = await w.store.log.redeliver(deliveryId, ownerId, false);
    assert.equal((await w.store.log.list({ ownerId, eventId }, page)).items.length, 3);
    const found = await w.store.log.list({ ownerId, deliveryId: again.deliveryId }, page);
    assert.equal(only(found.items).origin, "redelivery");
    for (const filter of [{ deliveryId }, { eventId }]) {
      const foreign = await w.store.log.list({ ...filter, ownerId: "another" }, page);
      assert.deepEqual(foreign, { items: [], nextSeq: null });
    }
    const one = { ownerId, eventId, webhookId: first?.webhookId ?? "" };
    assert.equal((await w.store.log.list(one, page)).items.length, 2);
    const wrongTag = `${deliveryId.slice(0, -1)}${deliveryId.endsWith("a") ? "b" : "a"}`;
    assert.equal((await w.store.log.list({ ownerId, deliveryId: wrongTag }, page)).items.length, 0);
  });

  test("the mark of a watched webhook changes whenever one of its deliveries moves, and counts those in sight", async () => {
    const { id, hooks } = await w.shop();
    const no = hooks[0]?.no ?? 0;
    const instanceNo = await w.instanceNo();
    const look = async (perWebhook = 10) => await w.store.log.watch([no], perWebhook);
    const marks: string[] = [];
    const see = async (): Promise<void> => {
      const found = only((await look()).deliveries);
      assert.deepEqual([found.webhookNo, found.open], [no, !found.mark.startsWith("ended")]);
      marks.push(found.mark);
    };
    const held = await w.acceptOne(id, instanceNo);
    await see();
    await w.settle(instanceNo, [retried(held, 0)]);
    await see();
    await w.store.webhooks.pause(hooks[0]?.id ?? "", null);
    await see();
    await w.store.webhooks.resume(hooks[0]?.id ?? "", null, "send");
    const again = only(await w.claimAll(instanceNo));
    await see();
    await w.settle(instanceNo, [delivered(again)]);
    await see();
    assert.equal(new Set(marks).size, marks.length, marks.join(", "));
    const found = await w.store.log.summaries([held.seq, 1]);
    assert.deepEqual(
      found.map(({ seq, state, webhookNo }) => ({ seq, state, webhookNo })),
      [{ seq: held.seq, state: "delivered", webhookNo: no }],
    );
    await w.accept(Array.from({ length: 5 }, (_, i) => event(id, "purchase", 100 + i)));
    assert.deepEqual((await look(10)).full, []);
    assert.deepEqual((await look(2)).full, [no]);
    assert.deepEqual((await w.store.log.watch([], 10)).deliveries, []);
  });

  test("a delivery that ends while the log is read is on the page, the very first one too", async () => {
    const { id, ownerId } = await w.shop();
    const instanceNo = await w.instanceNo();
    for (let count = 1; count <= 20; count += 1) {
      await w.accept([event(id, "purchase", count)]);
      const list = w.store.log.list({ ownerId }, newest(50));
      const [page] = await Promise.all([list, w.drain(instanceNo)]);
      assert.equal(page.items.length, count);
    }
  });

  test("a page of a filtered log looks through a bounded number, and the next goes on from there", async () => {
    const { id, ownerId } = await w.shop();
    const instanceNo = await w.instanceNo();
    await w.accept([update(id, fileVersion("u1"), { previous: fileVersion("u0") })]);
    for (let from = 0; from < 3000; from += 1000) {
      await w.accept(Array.from({ length: 1000 }, (_, i) => event(id, "purchase", from + i)));
    }
    await w.drain(instanceNo);
    const filter = { ownerId, eventName: "product.update" } as const;
    const pages = await pagesOf((beforeSeq) =>
      w.store.log.list(filter, { beforeSeq, limit: 5, examined: 1000 }),
    );
    const found = pages.flatMap(({ items }) => items);
    assert.deepEqual(each(found, "eventName"), ["product.update"]);
    assert.equal(pages.length, 4);
    const now = await w.store.maintenance.now();
    const times = { ownerId, from: now - 60_000, to: now + 60_000 };
    const timed = await w.store.log.list(times, newest(5));
    assert.equal(timed.items.length, 5);
    const past = { ownerId, to: now - 86_400_000 };
    assert.deepEqual(await w.listed(past, 5), []);
  });

  test("the operator's figures count what is due, and name what was disabled and noticed last", async () => {
    const { id, ownerId, hooks } = await w.shop(2);
    const due = async (): Promise<number> => await w.store.maintenance.countDue(100);
    const before = await due();
    await w.accept([event(id, "purchase", 7)]);
    assert.equal((await due()) - before, 2);
    assert.equal(await w.store.maintenance.countDue(1), 1);
    await w.store.webhooks.pause(hooks[0]?.id ?? "", null);
    assert.equal((await due()) - before, 1);
    await w.store.resources.put([{ id, ownerId: `${ownerId}-next`, title: "T", subtitle: "" }]);
    const disabled = (await w.store.webhooks.listDisabled(2)).map((webhook) => webhook.id);
    assert.deepEqual(disabled.sort(), hooks.map((hook) => hook.id).sort());
    const [newest, second] = await w.store.notices.newest(2);
    assert.equal(newest?.kind, "owner_changed");
    assert.ok((newest?.no ?? 0) > (second?.no ?? 0));
    const scopes = await w.store.webhooks.scopes([{ ownerId }, { webhookId: "absent" }], 10);
    assert.deepEqual(each(scopes, "id"), hooks.map((hook) => hook.id).reverse());
    assert.equal((await w.store.webhooks.scopes([{ resourceId: id }], 1)).length, 1);
    assert.deepEqual(await w.store.webhooks.scopes([{ ownerId, resourceId: "absent" }], 10), []);
  });

  test("an owner of many webhooks leaves those of others a place among a limited number", async () => {
    const few = await w.shop(2);
    const many = await w.shop(5);
    const owners = [{ ownerId: few.ownerId }, { ownerId: many.ownerId }];
    const named = each(await w.store.webhooks.scopes(owners, 4), "ownerId").sort();
    const both = [few.ownerId, few.ownerId, many.ownerId, many.ownerId];
    assert.deepEqual(named, both.sort());
    const [newest] = await w.store.webhooks.scopes([{ ownerId: many.ownerId }], 1);
    assert.equal(newest?.id, many.hooks.at(-1)?.id);
  });
}
