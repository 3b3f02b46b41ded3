import assert from "node:assert/strict";
import { test } from "node:test";
import type { AcceptItem } from "../port/events.ts";
import { each } from "./lists.ts";
import { codeOf, event, fileVersion, keyed, update } from "./reports.ts";
import type { World } from "./world.ts";

export function testDuplicates(w: World): void {
  test("a rejected report is accepted when it comes again in order, with the same key", async () => {
    const id = w.name("late");
    const download = event(id, "download", 5, keyed(w.name("key")));
    const first = await w.store.events.accept([download], null);
    assert.equal(first.results[0]?.kind, "rejected");
    await w.store.resources.put([{ id, ownerId: "o", title: "T", subtitle: "" }]);
    await w.accept([download]);
  });

  test("a repeated item of one batch is a duplicate of the first that was stored, not of a rejected one", async () => {
    const id = w.name("late");
    const resource = { title: "T", subtitle: "", ownerId: w.name("owner") };
    const results = await w.report([
      event(id, "download", 5),
      event(id, "download", 5, { resource }),
      event(id, "download", 5),
      update(id, fileVersion("1")),
      update(id, fileVersion("1"), { previous: fileVersion("0") }),
      update(id, fileVersion("1")),
    ]);
    assert.deepEqual(each(results, "kind"), [
      "rejected",
      "accepted",
      "duplicate",
      "rejected",
      "accepted",
      "duplicate",
    ]);
    const again = await w.store.events.accept([event(id, "download", 5)], null);
    assert.deepEqual(again.results, [results[2]]);
  });

  test("an idempotency key stores one event, in one batch and across batches", async () => {
    const shop = await w.shop();
    const item = event(shop.id, "purchase", w.user(), keyed(w.name("key")));
    const results = await w.report([item, { ...item, tag: "zzzzzzzzzz" }]);
    assert.deepEqual(each(results, "kind"), ["accepted", "duplicate"]);
    const again = await w.store.events.accept([item], null);
    assert.equal(again.results[0]?.kind, "duplicate");
    assert.equal(new Set([...results, ...again.results].map(idOf)).size, 1);
  });

  test("a key that comes again with another body is refused, in one batch and across batches", async () => {
    const shop = await w.shop();
    const key = w.name("key");
    const results = await w.report([
      event(shop.id, "purchase", w.user(), keyed(key, "one")),
      event(shop.id, "purchase", w.user(), keyed(key, "two")),
    ]);
    assert.equal(results[0]?.kind, "accepted");
    assert.deepEqual(results[1], { kind: "rejected", code: "idempotency_key_reused" });
    const later = await w.store.events.accept(
      [event(shop.id, "purchase", w.user(), keyed(key, "three"))],
      null,
    );
    assert.deepEqual(later.results, [{ kind: "rejected", code: "idempotency_key_reused" }]);
  });

  test("an idempotency key counts within its resource: two resources of one order can share it", async () => {
    const [map, pack] = [await w.shop(), await w.shop()];
    const key = w.name("order");
    const user = w.user();
    const items = [
      event(map.id, "purchase", user, keyed(key, "the map")),
      event(pack.id, "purchase", user, keyed(key, "the pack")),
    ];
    const ids = await w.accept(items);
    const results = await w.report(items);
    assert.deepEqual(
      results,
      ids.map((eventId) => ({ kind: "duplicate", eventId })),
    );
    const later = event((await w.shop()).id, "purchase", user, keyed(key, "one more"));
    await w.accept([later]);
  });

  test("an update refused for its reused key does not take the update's own id with it", async () => {
    const shop = await w.shop();
    const key = w.name("key");
    const previous = fileVersion("1");
    const results = await w.report([
      update(shop.id, fileVersion("2"), { previous, ...keyed(key, "two") }),
      update(shop.id, fileVersion("3"), keyed(key, "three")),
      update(shop.id, fileVersion("3"), keyed(w.name("key"), "three")),
    ]);
    assert.deepEqual(results.map(codeOf), ["accepted", "idempotency_key_reused", "accepted"]);
  });

  test("the first download of a user is sent once for ever, whatever is reported, even after pruning", async () => {
    const shop = await w.shop(0);
    const user = w.user();
    const [first] = await w.accept([event(shop.id, "download", user)]);
    await w.accept([event(shop.id, "download", w.user())]);
    await w.harness.advance(100 * 24 * 3600 * 1000);
    await w.prune(1000, 1000, 1000);
    assert.equal(await w.store.events.find(first ?? "", null), null);
    const results = await w.report([event(shop.id, "download", user)]);
    assert.deepEqual(results, [{ kind: "duplicate", eventId: first }]);
  });

  test("first downloads are kept as a keyed hash, never as the user's number", async () => {
    const shop = await w.shop(0);
    await w.accept([event(shop.id, "download", 987_654_321)]);
    const stored = JSON.stringify(await w.harness.rows("first_downloads"));
    assert.ok(!stored.includes("987654321") && !stored.includes(shop.id));
  });

  test("the same update id again is a duplicate, whatever its key; none known before it is an error", async () => {
    const shop = await w.shop();
    const refused = await w.store.events.accept([update(shop.id, fileVersion("1"))], null);
    assert.deepEqual(refused.results, [{ kind: "rejected", code: "previous_unknown" }]);
    const item = update(shop.id, fileVersion("1"), { previous: fileVersion("0") });
    const [id] = await w.accept([item]);
    const results = await w.report([{ ...item, ...keyed(w.name("key")) }]);
    assert.deepEqual(results, [{ kind: "duplicate", eventId: id }]);
  });

  test("callers at the same time with the same key get one event", async () => {
    const shop = await w.shop();
    const stores = [w.store];
    if (w.harness.openAnother !== null) stores.push(await w.harness.openAnother());
    const stored = (await w.harness.rows("events")).length;
    const rounds = 40;
    for (let round = 0; round < rounds; round += 1) {
      const user = w.user();
      const key = w.name("key");
      // Different neighbours in both batches, so that they lock in different orders.
      const batch = (extra: string): AcceptItem[] => [
        event(shop.id, "purchase", w.user(), keyed(`${extra}-${key}`)),
        event(shop.id, "purchase", user, keyed(key)),
        event(shop.id, "download", user),
      ];
      const outcomes = await Promise.all(
        stores.flatMap((store) => [
          store.events.accept(batch(w.name("a")), null),
          store.events.accept(batch(w.name("z")).reverse(), null),
        ]),
      );
      const ids = outcomes.map(({ results }) => idOf(results[1]));
      assert.equal(new Set(ids).size, 1, "one id for one key");
      assert.equal(outcomes.filter(({ results }) => results[1]?.kind === "accepted").length, 1);
    }
    const perRound = stores.length * 2 + 2;
    assert.equal((await w.harness.rows("events")).length - stored, rounds * perRound);
  });

  test("a repeated old request does not give the resource back to the owner of that time", async () => {
    const shop = await w.shop(0);
    const resource = { title: "T", subtitle: "", ownerId: shop.ownerId };
    const old = event(shop.id, "purchase", 1, { resource, ...keyed(w.name("key")) });
    await w.accept([old]);
    const heir = w.name("owner");
    await w.give(shop.id, heir);
    const results = await w.report([old]);
    assert.equal(results[0]?.kind, "duplicate");
    assert.equal((await w.store.resources.find(shop.id))?.ownerId, heir);
  });
}

function idOf(result: { kind: string; eventId?: string } | undefined): string {
  return result?.eventId ?? "";
}
