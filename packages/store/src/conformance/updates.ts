import assert from "node:assert/strict";
import { test } from "node:test";
import type { UpdatePayload } from "@markethook/protocol";
import type { AcceptItem } from "../port/events.ts";
import { event, fileVersion, keyed, update } from "./reports.ts";
import type { World } from "./world.ts";

const previous = fileVersion("1");
const YEAR = 365 * 24 * 3600 * 1000;

export function testUpdates(w: World): void {
  test("an update id that comes again with other content is refused with what differs", async () => {
    const shop = await w.shop();
    const first = update(shop.id, fileVersion("2"), { previous, ...keyed(w.name("key")) });
    const changes: [AcceptItem, string][] = [
      [update(shop.id, fileVersion("2", { title: "Other" })), "`update.title`"],
      [
        update(shop.id, fileVersion("2", { size: "1", branch: "beta", description: "Other" })),
        "`update.size`, `update.branch` and `update.description`",
      ],
      [update(shop.id, fileVersion("2", { time: 5 })), "`update.time`"],
      [update(shop.id, fileVersion("2"), { previous: fileVersion("0") }), "`previous.version` and"],
    ];
    const keys = changes.map(([item]) => ({ ...item, ...keyed(w.name("key")) }));
    const results = await w.report([first, ...keys]);
    const later = await w.store.events.accept([...keys, first], null);
    assert.equal(results[0]?.kind, "accepted");
    assert.equal(later.results.at(-1)?.kind, "duplicate");
    for (const answers of [results.slice(1), later.results.slice(0, -1)]) {
      for (const [i, [, words]] of changes.entries()) {
        const answer = answers[i];
        assert.ok(answer?.kind === "rejected" && answer.code === "update_id_reused");
        assert.ok(answer.detail?.startsWith(`The stored update 2 has another ${words}`));
      }
    }
    assert.equal((await w.store.resources.find(shop.id))?.fileVersion?.id, "2");
  });

  test("an update is a repeat where it leaves out what the stored one says, and whenever it was reported", async () => {
    const shop = await w.shop();
    const [eventId] = await w.accept([update(shop.id, fileVersion("2"), { previous })]);
    const again = update(shop.id, fileVersion("2", { time: 1_700_000_999 }), {
      updateTimeIsDefault: true,
      ...keyed(w.name("key")),
    });
    const results = await w.report([again]);
    assert.deepEqual(results, [{ kind: "duplicate", eventId }]);
  });

  test("a known update id whose event is pruned is a duplicate: nothing is left to compare with", async () => {
    const shop = await w.shop(0);
    const [eventId] = await w.accept([update(shop.id, fileVersion("2"), { previous })]);
    await w.harness.advance(10_000);
    await w.prune(1000, YEAR, 1000);
    const other = update(shop.id, fileVersion("2", { title: "Other" }));
    const results = await w.report([other]);
    assert.deepEqual(results, [{ kind: "duplicate", eventId }]);
  });

  test("an update refused because its id is that of the known version says so", async () => {
    const shop = await w.shop();
    const input = { id: shop.id, ownerId: shop.ownerId, title: "T", subtitle: "" };
    await w.store.resources.put([{ ...input, fileVersion: fileVersion("2") }]);
    const results = await w.report([update(shop.id, fileVersion("2"))]);
    assert.deepEqual(results, [
      {
        kind: "rejected",
        code: "previous_unknown",
        detail: "The known file version has the id 2 too, so it is not the one before.",
      },
    ]);
  });

  test("a file version that comes along with an event is the next update's previous", async () => {
    const id = w.name("new");
    const resource = { title: "T", ownerId: w.name("owner") };
    const ids = await w.accept([
      event(id, "purchase", w.user(), { resource: { ...resource, fileVersion: version("1") } }),
      update(id, fileVersion("2")),
      // A marketplace that has stored the update brings it along as the current version.
      update(id, fileVersion("3"), { resource: { ...resource, fileVersion: version("3") } }),
      update(id, fileVersion("9"), { resource: { ...resource, fileVersion: version("8") } }),
      event(id, "purchase", w.user(), { resource }),
    ]);
    const previousIds = await Promise.all(
      ids.slice(1, 4).map(async (eventId) => {
        const stored = await w.store.events.find(eventId, null);
        return (JSON.parse(stored?.payload ?? "") as UpdatePayload).previous.id; // We wrote it.
      }),
    );
    assert.deepEqual(previousIds, ["1", "2", "8"]);
    assert.deepEqual((await w.store.resources.find(id))?.fileVersion, version("9"));
  });

  test("a file version comes along with the event that changes the owner", async () => {
    const shop = await w.shop(0);
    const resource = { title: "T", ownerId: w.name("heir"), fileVersion: version("4") };
    await w.accept([event(shop.id, "purchase", w.user(), { resource })]);
    const found = await w.store.resources.find(shop.id);
    assert.deepEqual(
      [found?.ownerId, found?.subtitle, found?.fileVersion],
      [resource.ownerId, "A map", version("4")],
    );
  });

  test("a left-out subtitle keeps the known one, of an event's resource and of one that is put", async () => {
    const { id, ownerId } = await w.resource();
    const subtitle = async () => (await w.store.resources.find(id))?.subtitle;
    await w.accept([event(id, "purchase", 1, { resource: { title: "One", ownerId } })]);
    assert.equal(await subtitle(), "A map");
    await w.store.resources.put([{ id, ownerId, title: "Two" }]);
    assert.equal(await subtitle(), "A map");
    await w.accept([
      event(id, "purchase", 1, { resource: { title: "One", subtitle: "", ownerId } }),
    ]);
    assert.equal(await subtitle(), "");
    await w.store.resources.put([{ id, ownerId, title: "Two", subtitle: "A pack" }]);
    await w.store.resources.delete(id);
    await w.store.resources.put([{ id, ownerId, title: "Back" }]);
    assert.equal(await subtitle(), "");
  });
}

/** A file version as a resource has it: without the update's texts. */
function version(of: string) {
  const { title: _, description: __, ...rest } = fileVersion(of);
  return rest;
}
