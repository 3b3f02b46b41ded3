import assert from "node:assert/strict";
import { test } from "node:test";
import { previousVersion } from "@markethook/protocol";
import { only, refused } from "./checks.ts";
import { each } from "./lists.ts";
import { event, fileVersion, update } from "./reports.ts";
import type { World } from "./world.ts";

export function testResources(w: World): void {
  test("resources are put in bulk, found, listed by id and owner, and replaced", async () => {
    const ownerId = w.name("owner");
    const names = [w.name("c"), w.name("a"), w.name("b")];
    const inputs = names.map((id) => ({ id, ownerId, title: id, subtitle: "" }));
    assert.deepEqual(await w.store.resources.put(inputs), ["created", "created", "created"]);
    const sorted = [...names].sort();
    const page = await w.store.resources.list({ ownerId, limit: 2 });
    assert.deepEqual(each(page, "id"), sorted.slice(0, 2));
    const rest = await w.store.resources.list({ ownerId, limit: 2, afterId: page[1]?.id ?? "" });
    assert.deepEqual(each(rest, "id"), sorted.slice(2));
    const [first = ""] = names;
    assert.deepEqual(
      await w.store.resources.put([{ id: first, ownerId, title: "X", subtitle: "y" }]),
      ["updated"],
    );
    const found = await w.store.resources.find(first);
    assert.deepEqual([found?.title, found?.subtitle], ["X", "y"]);
    assert.equal(await w.store.resources.find("absent"), null);
    assert.deepEqual(await w.store.resources.put([]), []);
  });

  test("a file version that is not brought along stays, and a new one replaces it", async () => {
    const { id, ownerId } = await w.resource();
    const input = { id, ownerId, title: "T", subtitle: "" };
    await w.store.resources.put([{ ...input, fileVersion: previousVersion(fileVersion("1")) }]);
    await w.store.resources.put([input]);
    assert.equal((await w.store.resources.find(id))?.fileVersion?.id, "1");
    await w.accept([update(id, fileVersion("2"))]);
    await w.store.resources.put([input]);
    assert.equal((await w.store.resources.find(id))?.fileVersion?.id, "2");
  });

  test("one that stands twice in a bulk counts as it stands last", async () => {
    const [id, ownerId] = [w.name("twice"), w.name("owner")];
    const outcome = await w.store.resources.put([
      { id, ownerId, title: "One", subtitle: "" },
      { id, ownerId, title: "Two", subtitle: "" },
    ]);
    assert.deepEqual(outcome, ["created", "updated"]);
    assert.equal((await w.store.resources.find(id))?.title, "Two");
  });

  test("a bulk that is stored in parts answers for each in its place, and records no more for its last part", async () => {
    const [ownerId, heir] = [w.name("owner"), w.name("heir")];
    const ids = Array.from({ length: 101 }, () => w.name("part"));
    const put = async (some: readonly string[], owner: string) =>
      await w.store.resources.put(some.map((id) => ({ id, ownerId: owner, title: "T" })));
    const known = ids.filter((_, index) => index % 2 === 0);
    assert.deepEqual(new Set(await put(known, ownerId)), new Set(["created"]));
    const outcome = await put(ids.toReversed(), ownerId);
    const updated = ids.toReversed().filter((_, index) => outcome[index] === "updated");
    assert.deepEqual(updated.toReversed(), known);
    const recorded = async (owner: string) =>
      (await w.store.audit.list({ ownerId: owner }, { beforeSeq: null, limit: 200 })).items.length;
    assert.equal(await recorded(ownerId), 0);
    await put(ids, heir);
    assert.equal(await recorded(ownerId), ids.length, "a new owner is recorded for each");
  });

  test("bulks in opposite order at the same time both succeed", async () => {
    const ownerId = w.name("owner");
    const names = Array.from({ length: 30 }, () => w.name("bulk"));
    const version = previousVersion(fileVersion("1"));
    for (let round = 0; round < 10; round += 1) {
      const inputs = names.map((id, index) => ({
        id,
        ownerId,
        title: `${round}`,
        subtitle: "",
        ...(index % 2 === round % 2 ? { fileVersion: version } : {}),
      }));
      await Promise.all([
        w.store.resources.put(inputs),
        w.store.resources.put([...inputs].reverse()),
        w.store.events.accept(
          names.map((id) =>
            event(id, "purchase", 1, { resource: { title: "E", subtitle: "", ownerId } }),
          ),
          null,
        ),
      ]);
    }
  });

  test("a change of owner disables the old owner's webhooks, cancels their deliveries and tells both", async () => {
    const shop = await w.shop(2);
    const heir = w.name("heir");
    await w.accept(w.purchases(shop.id));
    await w.give(shop.id, heir);
    for (const { id, no } of shop.hooks) {
      const hook = await w.store.webhooks.get(id, shop.ownerId);
      assert.deepEqual([hook.state, hook.disabledReason], ["disabled", "owner_changed"]);
      assert.equal(only(await w.store.webhooks.forSending([no])).cancelled, true);
      for (const held of ["send", "drop"] as const) {
        await refused(w.store.webhooks.resume(id, shop.ownerId, held), "webhook_not_active");
      }
      await refused(w.store.webhooks.get(id, heir), "not_found");
    }
    assert.equal(await w.store.deliveries.cancelMarked(100), 2);
    for (const owner of [shop.ownerId, heir]) {
      const notice = only(await w.notices(owner));
      assert.deepEqual(
        [notice.kind, notice.resourceId, notice.detail],
        ["owner_changed", shop.id, { from: shop.ownerId, to: heir, webhooksDisabled: 2 }],
      );
    }
  });

  test("where several resources change owners at once, each old owner loses what is of that resource", async () => {
    const [first, second] = [await w.shop(1), await w.shop(2)];
    const third = await w.resource(second.ownerId);
    const [heir, kept] = [w.name("heir"), await w.resource(first.ownerId)];
    const put = async (owners: Record<string, string>) => {
      await w.store.resources.put(
        Object.entries(owners).map(([id, ownerId]) => ({ id, ownerId, title: "T", subtitle: "" })),
      );
    };
    const stays = await w.webhook(kept.id);
    // From now on it has two disabled webhooks of an owner before, who sells another one below.
    await put({ [second.id]: first.ownerId });
    const own = await w.webhook(second.id);
    await put({ [first.id]: second.ownerId, [second.id]: heir, [third.id]: heir });
    const state = async (id: string) => (await w.store.webhooks.get(id, null)).state;
    assert.equal(await state(stays.id), "active");
    assert.equal(await state(own.id), "disabled");
    assert.equal(await state(first.hook.id), "disabled");
    const told = async (owner: string) =>
      (await w.notices(owner))
        .map(({ resourceId, detail }) => `${resourceId} ${String(detail["webhooksDisabled"])}`)
        .sort();
    assert.deepEqual(await told(heir), [`${second.id} 1`, `${third.id} 0`].sort());
    assert.deepEqual(
      await told(second.ownerId),
      [`${second.id} 2`, `${first.id} 1`, `${third.id} 0`].sort(),
    );
    assert.deepEqual(
      await told(first.ownerId),
      [`${second.id} 2`, `${first.id} 1`, `${second.id} 1`].sort(),
    );
  });

  test("where a change of owner was taken back, a webhook may be resumed, and gets what comes after that", async () => {
    const shop = await w.shop();
    const { webhooks, resources, deliveries } = w.store;
    const { id, no } = shop.hook;
    for (const ownerId of [w.name("typo"), shop.ownerId])
      await resources.put([{ id: shop.id, ownerId, title: "T", subtitle: "" }]);
    await w.accept(w.purchases(shop.id));
    assert.equal(await deliveries.cancelMarked(100), 1);
    const { state } = await webhooks.resume(id, shop.ownerId, "send");
    assert.equal(state, "active");
    assert.equal(only(await webhooks.forSending([no])).cancelled, false);
    const instanceNo = await w.instanceNo();
    const delivery = await w.acceptOne(shop.id, instanceNo);
    await w.deliver(instanceNo, [delivery]);
    assert.equal(await w.state(delivery.seq), "delivered");
  });

  test("after a change of owner nothing goes to the old owner's webhooks, and they take nobody's place", async () => {
    const shop = await w.shop(60);
    const heir = w.name("heir");
    await w.give(shop.id, heir);
    const instanceNo = await w.instanceNo();
    const none = await w.acceptPurchase(shop.id, instanceNo);
    assert.deepEqual([none.preLeased.length, none.notPreLeased], [0, 0]);
    for (let i = 0; i < 60; i += 1) await w.webhook(shop.id);
    const own = await w.acceptPurchase(shop.id, instanceNo);
    assert.equal(own.preLeased.length, 60);
    await w.deliver(instanceNo, own.preLeased);
  });

  test("a deleted resource takes its webhooks along and comes back without them", async () => {
    const shop = await w.shop();
    await w.accept([update(shop.id, fileVersion("2"), { previous: fileVersion("1") })]);
    assert.equal(await w.store.resources.delete(shop.id), true);
    assert.equal(await w.store.resources.delete(shop.id), false);
    assert.equal(await w.store.resources.find(shop.id), null);
    assert.equal(await w.store.deliveries.cancelMarked(10), 1);
    const refused = await w.store.events.accept([event(shop.id, "purchase", 1)], null);
    assert.deepEqual(refused.results, [{ kind: "rejected", code: "resource_unknown" }]);
    const { id, ownerId } = shop;
    const resource = { title: "Back", subtitle: "", ownerId };
    const results = await w.report([event(id, "purchase", 1, { resource })]);
    assert.deepEqual(
      results.map((result) => (result.kind === "accepted" ? result.deliveries : null)),
      [0],
    );
    assert.equal((await w.store.resources.find(id))?.fileVersion, null);
    assert.deepEqual(await w.store.webhooks.list({ ownerId, limit: 10 }), []);
  });
}
