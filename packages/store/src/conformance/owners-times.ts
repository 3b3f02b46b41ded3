import assert from "node:assert/strict";
import { test } from "node:test";
import { only } from "./checks.ts";
import { each, itemsOf, newest } from "./lists.ts";
import { allOf, event } from "./reports.ts";
import type { World } from "./world.ts";

/** Owners see events of their own time with a resource: the buyers of another time are another's. */
export function testOwnersTimes(w: World): void {
  const buy = async (id: string, user = w.user()): Promise<string> =>
    only(await w.accept([event(id, "purchase", user)]));

  /** What an owner finds by each of the ways to an event; all must agree. */
  const seenBy = async (
    w: World,
    ownerId: string,
    all: readonly string[],
    narrow: { resourceId?: string; userId?: number } = {},
  ): Promise<string[]> => {
    const found = await itemsOf((beforeSeq) =>
      w.store.events.list({ ownerId, ...narrow }, { beforeSeq, limit: 2 }),
    );
    const seen = each(found, "eventId");
    for (const id of all) {
      const isSeen = seen.includes(id);
      assert.equal((await w.store.events.find(id, ownerId)) !== null, isSeen, `find ${id}`);
      assert.equal((await w.store.events.explain(id, ownerId)) !== null, isSeen, `explain ${id}`);
    }
    return seen.reverse();
  };

  test("after a change of owner each owner sees the events of their own time, and the marketplace all", async () => {
    const { id, ownerId: first } = await w.resource();
    const second = w.name("heir");
    const [a, b] = [await buy(id), await buy(id)];
    await w.give(id, second);
    assert.deepEqual(await seenBy(w, second, [a, b]), [], "nothing was sold since");
    const [c, d] = [await buy(id), await buy(id)];
    const all = [a, b, c, d];
    for (const narrow of [{}, { resourceId: id }]) {
      assert.deepEqual(await seenBy(w, first, all, narrow), [a, b]);
      assert.deepEqual(await seenBy(w, second, all, narrow), [c, d]);
    }
    const everything = await w.store.events.list({ ownerId: null, resourceId: id }, newest(10));
    assert.equal(everything.items.length, 4);
    assert.deepEqual(await seenBy(w, w.name("stranger"), all), []);
  });

  test("one buyer's events of two times are two owners'", async () => {
    const { id, ownerId: first } = await w.resource();
    const second = w.name("heir");
    const userId = w.user();
    const a = await buy(id, userId);
    await w.give(id, second);
    const b = await buy(id, userId);
    assert.deepEqual(await seenBy(w, first, [a, b], { userId }), [a]);
    assert.deepEqual(await seenBy(w, second, [a, b], { userId }), [b]);
  });

  test("an owner who gets a resource back sees both of their times, and not the one between", async () => {
    const { id, ownerId: first } = await w.resource();
    const between = w.name("heir");
    const all: string[] = [];
    for (const owner of [first, between, first, between, first]) {
      await w.give(id, owner);
      all.push(await buy(id));
    }
    const [a = "", b = "", c = "", d = "", e = ""] = all;
    assert.deepEqual(await seenBy(w, first, all), [a, c, e]);
    assert.deepEqual(await seenBy(w, between, all), [b, d]);
  });

  test("a resource that is deleted and comes back as somebody else's brings no events along", async () => {
    const { id, ownerId: first } = await w.resource();
    const a = await buy(id);
    await w.store.resources.delete(id);
    assert.deepEqual(await seenBy(w, first, [a]), [a], "deleted, its events are still the owner's");
    const second = w.name("heir");
    const resource = { title: "T", subtitle: "", ownerId: second };
    const b = only(await w.accept([event(id, "purchase", w.user(), { resource })]));
    assert.deepEqual(await seenBy(w, first, [a, b]), [a]);
    assert.deepEqual(await seenBy(w, second, [a, b]), [b]);
    await w.store.resources.delete(id);
    await w.give(id, first);
    const c = await buy(id);
    assert.deepEqual(await seenBy(w, first, [a, b, c]), [a, c]);
  });

  test("an event and an import that name a new owner end the old one's time too", async () => {
    const { id, ownerId: first } = await w.resource();
    const [second, third] = [w.name("heir"), w.name("heir")];
    const a = await buy(id);
    const resource = { title: "T", subtitle: "", ownerId: second };
    const b = only(await w.accept([event(id, "purchase", w.user(), { resource })]));
    const record = { kind: "resource", id, ownerId: third, title: "T", subtitle: "" } as const;
    await w.import([record]);
    const c = await buy(id);
    const all = [a, b, c];
    assert.deepEqual(await seenBy(w, first, all), [a]);
    assert.deepEqual(await seenBy(w, second, all), [b]);
    assert.deepEqual(await seenBy(w, third, all), [c]);
  });

  test("deliveries are of the owner who had the webhook, before and after", async () => {
    const { id, ownerId: first } = await w.shop();
    const second = w.name("heir");
    const a = await buy(id);
    await w.give(id, second);
    await w.webhook(id);
    const b = await buy(id);
    const eventsOf = async (ownerId: string, resourceId?: string) => {
      const filter = { ownerId, ...(resourceId === undefined ? {} : { resourceId }) };
      const items = await w.listed(filter, 10);
      return items.map(({ eventId }) => eventId);
    };
    for (const resourceId of [undefined, id]) {
      assert.deepEqual(await eventsOf(first, resourceId), [a]);
      assert.deepEqual(await eventsOf(second, resourceId), [b]);
    }
  });

  test("the events that a new owner's webhook missed do not begin before their time", async () => {
    const { id } = await w.resource();
    await buy(id);
    const second = w.name("heir");
    await w.give(id, second);
    const own = await buy(id);
    const hook = await w.webhook(id);
    const instanceNo = await w.instanceNo();
    const missed = { ...allOf(hook.id), confirmed: true };
    for (const ownerId of [null, second]) {
      const filter = { ...missed, ownerId };
      assert.equal((await w.store.log.countMissing(filter)).count, 1);
    }
    assert.equal((await w.store.log.missingStep(missed, 0, 100)).sent, 1);
    const made = only(await w.claimAll(instanceNo));
    assert.equal((await w.store.events.find(own, second))?.payload, made.payload);
    await w.deliver(instanceNo, [made]);
  });

  test("a new owner's few events are found behind many of the old one's, and an old owner's behind many new", async () => {
    const { id, ownerId: first } = await w.resource();
    const second = w.name("heir");
    const many = async () => await w.accept(w.purchases(id, 300));
    const before = await many();
    await w.give(id, second);
    const after = await buy(id);
    assert.deepEqual(await seenBy(w, second, [after]), [after]);
    const third = w.name("heir");
    await w.give(id, third);
    const newest = await many();
    assert.deepEqual(await seenBy(w, second, [after, newest[0] ?? ""]), [after]);
    assert.deepEqual(await seenBy(w, first, []), before);
    assert.deepEqual(await seenBy(w, third, []), newest);
  });
}
