import assert from "node:assert/strict";
import { test } from "node:test";
import type { ImportedResource, ImportedWebhook, ImportRecord } from "../port/imports.ts";
import { importedResource, importedWebhook, kinds, webhooksOf } from "./imports.ts";
import { event } from "./reports.ts";
import type { World } from "./world.ts";

export function testImportSales(w: World): void {
  test("a record that changes the owner disables the webhooks of the one before, new ones too", async () => {
    const shop = await w.shop(1);
    const { id, ownerId } = shop;
    const same: ImportedResource = {
      kind: "resource",
      id,
      ownerId,
      title: "Castle",
      subtitle: "A map",
    };
    const sold = { ...same, ownerId: w.name("heir") };
    const records = [same, importedWebhook(id), sold, importedWebhook(id, { importId: "heir's" })];
    assert.deepEqual(await kinds(w, records), ["unchanged", "created", "updated", "created"]);
    const hooks = (await webhooksOf(w, id)).map((hook) => [hook.ownerId, hook.disabledReason]);
    assert.deepEqual(hooks, [
      [sold.ownerId, null],
      [ownerId, "owner_changed"],
      [ownerId, "owner_changed"],
    ]);
  });

  test("a batch that sells a resource and changes its webhook comes to the same as its records one by one", async () => {
    const shop = importedResource(w);
    const [before, after] = ["before", "after"].map((importId) =>
      importedWebhook(shop.id, { importId }),
    );
    assert.ok(before && after);
    await kinds(w, [shop, before, after]);
    const changed = (record: ImportedWebhook) => ({ ...record, description: "changed" });
    const sold = { ...shop, ownerId: w.name("heir") };
    assert.deepEqual(await kinds(w, [changed(before), sold, changed(after)]), [
      "updated",
      "updated",
      "rejected",
    ]);
    const hooks = await webhooksOf(w, shop.id);
    assert.deepEqual(
      hooks.map((hook) => [hook.id, hook.state, hook.disabledReason, hook.description]),
      [
        [after.newId, "disabled", "owner_changed", ""],
        [before.newId, "disabled", "owner_changed", "changed"],
      ],
    );
  });

  test("a resource that is sold and bought back in one batch keeps neither its webhooks nor its owner's time", async () => {
    const shop = importedResource(w);
    const [heir, buyer] = [w.name("heir"), w.user()];
    const hook = importedWebhook(shop.id, { importId: "1" });
    await kinds(w, [shop, hook]);
    const [sale = ""] = await w.accept([event(shop.id, "purchase", buyer)]);
    const records: ImportRecord[] = [
      { ...shop, ownerId: heir },
      importedWebhook(shop.id, { importId: "heir's" }),
      shop,
      { ...hook, description: "changed" },
      importedWebhook(shop.id, { importId: "2" }),
    ];
    const expected = ["updated", "created", "updated", "rejected", "created"];
    assert.deepEqual(await kinds(w, records, true), expected);
    assert.deepEqual(await kinds(w, records), expected);

    const hooks = await webhooksOf(w, shop.id);
    assert.deepEqual(
      hooks.map((one) => [one.ownerId, one.disabledReason]),
      [
        [shop.ownerId, null],
        [heir, "owner_changed"],
        [shop.ownerId, "owner_changed"],
      ],
    );
    const told = async (ownerId: string): Promise<unknown[]> =>
      (await w.notices(ownerId)).map(({ kind, detail }) => [kind, detail["from"], detail["to"]]);
    const changes = [
      ["owner_changed", shop.ownerId, heir],
      ["owner_changed", heir, shop.ownerId],
    ];
    assert.deepEqual(await told(shop.ownerId), changes);
    assert.deepEqual(await told(heir), changes);
    assert.ok((await w.store.events.find(sale, shop.ownerId)) !== null);
    assert.equal(await w.store.events.find(sale, heir), null);
  });
}
