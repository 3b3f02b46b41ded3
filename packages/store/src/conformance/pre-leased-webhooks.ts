import assert from "node:assert/strict";
import { test } from "node:test";
import { each } from "./lists.ts";
import { accepted, budget } from "./reports.ts";
import { DELIVERED, FAILED, retry, settled } from "./settlements.ts";
import type { World } from "./world.ts";

const CHAT = {
  url: "https://discord.com/api/webhooks/1/token",
  format: "discord",
  shownUrl: "https://discord.com/api/webhooks/1/…",
  chat: "{}",
} as const;

export function testPreLeasedWebhooks(w: World): void {
  test("accepting returns the plain webhooks of the deliveries it leases, as the sender would read them", async () => {
    const shop = await w.shop(0);
    const [fresh, proven, rotating, failing, resumed] = [
      await w.webhook(shop.id),
      await w.webhook(shop.id),
      await w.webhook(shop.id),
      await w.webhook(shop.id),
      await w.webhook(shop.id),
    ];
    await w.webhook(shop.id, CHAT);
    await w.webhook(shop.id, { includeDetails: true });
    await w.harness.advance(1000);
    await w.store.webhooks.pause(resumed.id, null);
    await w.store.webhooks.resume(resumed.id, null, "send");
    const next = { secret: "n".repeat(32), mode: "overlap", overlapSeconds: 60 } as const;
    await w.store.webhooks.rotate(rotating.id, null, next);
    const instanceNo = await w.instanceNo();
    const first = await w.acceptPurchase(shop.id, instanceNo);
    const [failed, succeeded] = [failing, proven].map(({ no }) =>
      first.preLeased.find((delivery) => delivery.webhookNo === no),
    );
    assert.ok(failed && succeeded);
    await w.settle(instanceNo, [
      settled(failed, retry(1000), {}, FAILED),
      settled(succeeded, DELIVERED, {}, { kind: "ok" }),
    ]);

    const { webhooks } = await w.store.events.accept(w.purchases(shop.id, 2), budget(instanceNo));
    const read = await w.store.webhooks.forSending([fresh.no, proven.no]);
    assert.deepEqual(sorted(webhooks), sorted(read));
  });

  test("webhooks that were read lately, and those that nothing is sent to now, stay where they are", async () => {
    const shop = await w.shop(3);
    const [read, paused, other] = shop.hooks;
    assert.ok(read && paused && other);
    await w.store.webhooks.pause(paused.id, null);
    const instanceNo = await w.instanceNo();
    const report = () => w.purchases(shop.id);
    const { webhooks } = await w.store.events.accept(
      report(),
      budget(instanceNo, { read: [read.no] }),
    );
    assert.deepEqual(each(webhooks, "no"), [other.no]);
    assert.deepEqual((await w.store.events.accept(report(), null)).webhooks, []);
  });

  test("an event whose webhook's secret cannot be opened is accepted all the same", async () => {
    const shop = await w.shop(2);
    const [broken, whole] = shop.hooks;
    assert.ok(broken && whole);
    await w.harness.tamper(
      `update webhooks set secret = 's1.unknown.AAAA' where no = ${broken.no}`,
    );
    const instanceNo = await w.instanceNo();
    const outcome = await w.acceptPurchase(shop.id, instanceNo);
    assert.equal(accepted(outcome), 1);
    assert.equal(outcome.preLeased.length, 2);
    assert.deepEqual(each(outcome.webhooks, "no"), [whole.no]);
  });
}

function sorted<T extends { no: number }>(webhooks: readonly T[]): T[] {
  return webhooks.toSorted((a, b) => a.no - b.no);
}
