import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { makeRandomId, previousVersion } from "@markethook/protocol";
import type { ImportedResource, ImportedWebhook, ImportRecord } from "../port/imports.ts";
import { only } from "./checks.ts";
import { each } from "./lists.ts";
import { event, fileVersion, update } from "./reports.ts";
import type { World } from "./world.ts";

const SECRET = "an old secret, not base64";

export function testImports(w: World): void {
  test("imported things are stored as they were, and a second import of them changes nothing", async () => {
    const shop = importedResource(w);
    const user = w.user();
    const records: ImportRecord[] = [
      { ...shop, fileVersion: previousVersion(fileVersion("1")) },
      importedWebhook(shop.id, {
        events: ["product.user.purchase"],
        description: "bot",
        includeDetails: true,
      }),
      importedWebhook(shop.id, { importId: "77", state: "paused", createdAt: 1_500_000_000_000 }),
      { kind: "firstDownload", resourceId: shop.id, userId: user },
      {
        kind: "fileVersion",
        resourceId: shop.id,
        fileVersion: previousVersion(fileVersion("2", { time: 1_690_000_001 })),
      },
    ];
    assert.deepEqual(await kinds(w, records, true), [
      "created",
      "created",
      "created",
      "created",
      "updated",
    ]);
    assert.equal(await w.store.resources.find(shop.id), null);
    assert.deepEqual(await kinds(w, records), [
      "created",
      "created",
      "created",
      "created",
      "updated",
    ]);

    const found = await w.store.resources.find(shop.id);
    assert.deepEqual(
      [found?.title, found?.ownerId, found?.fileVersion?.id],
      ["Castle", shop.ownerId, "2"],
    );
    const [second, first] = await webhooksOf(w, shop.id);
    assert.deepEqual(
      [first?.url, first?.events, first?.description, first?.state, first?.ownerId],
      ["https://old.example/", ["product.user.purchase"], "bot", "active", shop.ownerId],
    );
    assert.deepEqual([first?.includeDetails, second?.includeDetails], [true, false]);
    assert.deepEqual([second?.state, second?.createdAt], ["paused", 1_500_000_000_000]);
    assert.equal(first?.secretIsImportedText, true);
    const secrets = await w.store.webhooks.revealSecrets(first?.id ?? "", shop.ownerId);
    assert.deepEqual(secrets, { current: SECRET, next: null });

    const before = await rows(w);
    assert.deepEqual(new Set(await kinds(w, again(records))), new Set(["unchanged"]));
    assert.deepEqual(await rows(w), before);
  });

  test("a first download that was imported is never sent, also when it is reported here", async () => {
    const shop = importedResource(w);
    const [known, other] = [w.user(), w.user()];
    const dedupeKey: ImportRecord = { kind: "firstDownload", resourceId: shop.id, userId: known };
    assert.deepEqual(await kinds(w, [shop, importedWebhook(shop.id), dedupeKey, dedupeKey]), [
      "created",
      "created",
      "created",
      "unchanged",
    ]);
    const results = await w.report([
      event(shop.id, "download", known),
      event(shop.id, "download", other),
    ]);
    assert.deepEqual(each(results, "kind"), ["duplicate", "accepted"]);
    const reported: ImportRecord = { kind: "firstDownload", resourceId: shop.id, userId: other };
    assert.deepEqual(await kinds(w, [reported]), ["unchanged"]);
  });

  test("another import does not undo an owner's changes and deletions", async () => {
    const shop = importedResource(w);
    const records = [
      shop,
      importedWebhook(shop.id),
      importedWebhook(shop.id, { importId: "1" }),
      importedWebhook(shop.id, { importId: "2" }),
    ];
    await kinds(w, records);
    const [third, second, first] = await webhooksOf(w, shop.id);
    await w.store.webhooks.change(first?.id ?? "", null, { url: "https://new.example/" });
    await w.store.webhooks.rotate(second?.id ?? "", null, { secret: "x", mode: "switch_now" });
    await w.store.webhooks.delete(third?.id ?? "", null);
    const before = await webhooksOf(w, shop.id);
    const results = await w.import(again(records));
    assert.deepEqual(results, [
      { kind: "unchanged", deleted: false },
      { kind: "unchanged", deleted: false, webhookId: first?.id },
      { kind: "unchanged", deleted: false, webhookId: second?.id },
      { kind: "unchanged", deleted: true, webhookId: third?.id },
    ]);
    assert.deepEqual(await webhooksOf(w, shop.id), before);
  });

  test("a record that has changed updates its webhook, unless that was changed here too", async () => {
    const shop = importedResource(w);
    const one = importedWebhook(shop.id, { importId: "1" });
    await kinds(w, [shop, one]);
    const moved = { ...one, url: "https://moved.example/", secret: "another", state: "paused" };
    assert.deepEqual(await kinds(w, [moved as ImportedWebhook]), ["updated"]);
    const now = only(await webhooksOf(w, shop.id));
    assert.deepEqual([now.id, now.url, now.state], [one.newId, moved.url, "paused"]);
    assert.equal((await w.store.webhooks.revealSecrets(now.id, null)).current, "another");
    await w.store.webhooks.change(now.id, null, { description: "mine" });
    assert.deepEqual(await w.import([one]), [{ kind: "rejected", code: "import_conflict" }]);
    assert.deepEqual(await kinds(w, [moved as ImportedWebhook]), ["unchanged"]);
  });

  test("an old file gives no resource back to the owner of that time, and sets no title or file back", async () => {
    const shop = { ...importedResource(w), fileVersion: previousVersion(fileVersion("1")) };
    await kinds(w, [shop]);
    const heir = w.name("heir");
    await w.store.resources.put([{ id: shop.id, ownerId: heir, title: "New", subtitle: "" }]);
    await w.accept([update(shop.id, fileVersion("2", { time: 1_700_000_000 }))]);
    const old: ImportRecord = {
      kind: "fileVersion",
      resourceId: shop.id,
      fileVersion: shop.fileVersion,
    };
    assert.deepEqual(await kinds(w, [shop, old]), ["unchanged", "unchanged"]);
    const found = await w.store.resources.find(shop.id);
    assert.deepEqual([found?.ownerId, found?.title, found?.fileVersion?.id], [heir, "New", "2"]);

    const renamed = { ...shop, ownerId: heir, title: "Newer" };
    assert.deepEqual(await kinds(w, [renamed]), ["updated"]);
    assert.equal((await w.store.resources.find(shop.id))?.fileVersion?.id, "2");
    await w.store.resources.delete(shop.id);
    assert.deepEqual(await w.import([renamed]), [{ kind: "unchanged", deleted: true }]);
    assert.deepEqual(await kinds(w, [shop]), ["created"]);
  });

  test("a refused record takes no other with it", async () => {
    const shop = await w.shop(99);
    const fits = importedWebhook(shop.id, { importId: "a" });
    const records: ImportRecord[] = [
      importedWebhook("absent"),
      { kind: "firstDownload", resourceId: "absent", userId: 1 },
      fits,
      importedWebhook(shop.id, { importId: "b" }),
      { kind: "fileVersion", resourceId: "absent", fileVersion: previousVersion(fileVersion("1")) },
      { kind: "firstDownload", resourceId: shop.id, userId: 1 },
    ];
    const [unknown, full] = ["resource_unknown", "webhook_limit_reached"] as const;
    assert.deepEqual(await w.import(records), [
      { kind: "rejected", code: unknown },
      { kind: "rejected", code: unknown },
      { kind: "created", webhookId: fits.newId },
      { kind: "rejected", code: full },
      { kind: "rejected", code: unknown },
      { kind: "created" },
    ]);
    assert.deepEqual(await w.import([]), []);
  });

  test("the same file imported by several at once is stored once", async () => {
    const shops = Array.from({ length: 20 }, () => importedResource(w));
    const records = shops.flatMap((shop): ImportRecord[] => [
      shop,
      importedWebhook(shop.id),
      { kind: "firstDownload", resourceId: shop.id, userId: 1 },
    ]);
    const all = await Promise.all([
      kinds(w, again(records)),
      kinds(w, again(records)),
      w.store.events.accept(
        shops.map(({ id, ownerId }) =>
          event(id, "download", 1, { resource: { title: "C", subtitle: "", ownerId } }),
        ),
        null,
      ),
    ]);
    assert.equal(all[2].results.length, 20);
    for (const shop of shops) assert.equal((await webhooksOf(w, shop.id)).length, 1);
  });
}

export function importedResource(w: World): ImportedResource {
  const [id, ownerId] = [w.name("resource"), w.name("owner")];
  return { kind: "resource", id, ownerId, title: "Castle", subtitle: "A map" };
}

export function importedWebhook(
  resourceId: string,
  change: Partial<ImportedWebhook> = {},
): ImportedWebhook {
  return {
    kind: "webhook",
    newId: makeRandomId("wh_", randomBytes),
    resourceId,
    url: "https://old.example/",
    events: null,
    description: "",
    secret: SECRET,
    state: "active",
    ...change,
  };
}

/** As a second run sends them: the ids for new webhooks are others. */
function again(records: readonly ImportRecord[]): ImportRecord[] {
  return records.map((record) =>
    record.kind === "webhook" ? { ...record, newId: makeRandomId("wh_", randomBytes) } : record,
  );
}

export async function kinds(
  w: World,
  records: readonly ImportRecord[],
  dryRun = false,
): Promise<string[]> {
  return each(await w.store.imports.run(records, { dryRun }), "kind");
}

export async function webhooksOf(w: World, resourceId: string) {
  return await w.store.webhooks.list({ ownerId: null, resourceId, limit: 200 });
}

async function rows(w: World) {
  return {
    resources: await w.harness.rows("resources"),
    webhooks: await w.harness.rows("webhooks"),
    dedupeKeys: await w.harness.rows("first_downloads"),
    waiting: await w.harness.rows("pending"),
  };
}
