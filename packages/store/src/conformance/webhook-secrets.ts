import assert from "node:assert/strict";
import { test } from "node:test";
import type { SendableWebhook, Webhook } from "../port/webhooks.ts";
import { only, refused } from "./checks.ts";
import type { World } from "./world.ts";

const OLD = "old-secret-old-secret-old-secret-old-secret-old!";
const NEW = "bmV3LXNlY3JldC1uZXctc2VjcmV0LW5ldy1zZWNyZXQtbmV3";

export function testWebhookSecrets(w: World): void {
  test("secrets stand encrypted in the rows and open only where they belong", async () => {
    const shop = await w.shop(0);
    const hook = await w.webhook(shop.id, { secret: OLD });
    await rotate(w, hook, 60);
    for (const table of ["webhooks", "meta", "notices"] as const) {
      const stored = JSON.stringify(await w.harness.rows(table));
      assert.ok(!stored.includes(OLD) && !stored.includes(NEW), table);
    }
    assert.deepEqual(await w.store.webhooks.revealSecrets(hook.id, shop.ownerId), {
      current: OLD,
      next: NEW,
    });
    assert.deepEqual((await sendable(w, hook)).secrets, { current: OLD, next: NEW });
  });

  test("a rotation with an overlap keeps both secrets until its time is over by the database's clock", async () => {
    const shop = await w.shop(0);
    const hook = await w.webhook(shop.id, { secret: OLD });
    assert.equal(hook.secretIsImportedText, true);
    const rotated = await rotate(w, hook, 60);
    assert.ok(rotated.rotation?.until !== null && rotated.rotation !== null);
    await refused(rotate(w, hook, 60), "rotation_open");
    await w.harness.advance(61_000);
    const over = await w.store.webhooks.get(hook.id, null);
    assert.deepEqual([over.rotation, over.secretIsImportedText], [null, false]);
    assert.deepEqual((await sendable(w, hook)).secrets, { current: NEW });
    await refused(w.store.webhooks.cancelRotation(hook.id, null), "rotation_not_open");
    const again = await w.store.webhooks.rotate(hook.id, null, {
      secret: OLD,
      mode: "overlap",
      overlapSeconds: null,
    });
    assert.deepEqual(again.rotation, { until: null });
    assert.deepEqual((await sendable(w, hook)).secrets, { current: NEW, next: OLD });
  });

  test("a rotation is switched early, taken back, or done at once", async () => {
    const shop = await w.shop(0);
    const hook = await w.webhook(shop.id, { secret: OLD });
    await refused(w.store.webhooks.switchSecret(hook.id, null), "rotation_not_open");
    await rotate(w, hook, 60);
    const back = await w.store.webhooks.cancelRotation(hook.id, null);
    assert.deepEqual([back.rotation, back.secretIsImportedText], [null, true]);
    assert.deepEqual((await sendable(w, hook)).secrets, { current: OLD });
    await rotate(w, hook, null);
    await w.store.webhooks.switchSecret(hook.id, null);
    assert.deepEqual((await sendable(w, hook)).secrets, { current: NEW });
    await w.store.webhooks.rotate(hook.id, null, { secret: OLD, mode: "switch_now" });
    assert.deepEqual((await sendable(w, hook)).secrets, { current: OLD });
    const kinds = (await w.notices(shop.ownerId)).map(
      ({ kind, detail }) => `${kind} ${detail["mode"]}`,
    );
    assert.deepEqual(
      kinds,
      ["overlap", "cancelled", "overlap", "switched", "switch_now"].map(
        (mode) => `webhook_secret_changed ${mode}`,
      ),
    );
  });
}

async function rotate(w: World, hook: Webhook, overlapSeconds: number | null): Promise<Webhook> {
  const rotation = { secret: NEW, mode: "overlap", overlapSeconds } as const;
  return await w.store.webhooks.rotate(hook.id, null, rotation);
}

async function sendable(w: World, hook: Webhook): Promise<SendableWebhook> {
  return only(await w.store.webhooks.forSending([hook.no]));
}
