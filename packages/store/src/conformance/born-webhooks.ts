import assert from "node:assert/strict";
import { test } from "node:test";
import { accepted, event, offer, settled, type World } from "./world.ts";

const CHAT = {
  url: "https://discord.com/api/webhooks/1/token",
  format: "discord",
  shownUrl: "https://discord.com/api/webhooks/1/…",
  chat: "{}",
} as const;

export function testBornWebhooks(world: () => World): void {
  test("what is sent at once brings its webhooks along, as the sender would read them", async () => {
    const w = world();
    const shop = await w.shop(0);
    const [plain, chat, rotating, failing] = [
      await w.webhook(shop.id),
      await w.webhook(shop.id, CHAT),
      await w.webhook(shop.id),
      await w.webhook(shop.id),
    ];
    const next = { secret: "n".repeat(32), mode: "overlap", overlapSeconds: 60 } as const;
    await w.store.webhooks.rotate(rotating.id, null, next);
    const life = await w.life();
    const first = await w.store.events.accept([event(shop.id, "purchase", w.user())], offer(life));
    const failed = first.births.find((birth) => birth.webhookNo === failing.no);
    assert.ok(failed);
    const retry = { kind: "retry", delayMs: 1000, counts: true, throttled: false } as const;
    await w.settle(life, [
      { ...settled(failed, retry), health: { kind: "failed", badRequest: false } },
    ]);

    const { webhooks } = await w.store.events.accept(
      [event(shop.id, "purchase", w.user()), event(shop.id, "purchase", w.user())],
      offer(life),
    );
    const nos = [plain, chat, rotating, failing].map(({ no }) => no);
    const read = await w.store.webhooks.forSending(nos);
    assert.deepEqual(read.map(({ failing: fails }) => fails).filter(Boolean), [true]);
    assert.deepEqual(sorted(webhooks), sorted(read));
  });

  test("webhooks that were read lately, and those that nothing is sent to now, stay where they are", async () => {
    const w = world();
    const shop = await w.shop(3);
    const [read, paused, other] = shop.hooks;
    assert.ok(read && paused && other);
    await w.store.webhooks.pause(paused.id, null);
    const life = await w.life();
    const report = () => [event(shop.id, "purchase", w.user())];
    const { webhooks } = await w.store.events.accept(report(), offer(life, { read: [read.no] }));
    assert.deepEqual(
      webhooks.map(({ no }) => no),
      [other.no],
    );
    assert.deepEqual((await w.store.events.accept(report(), null)).webhooks, []);
  });

  test("an event whose webhook's secret cannot be opened is accepted all the same", async () => {
    const w = world();
    const shop = await w.shop(2);
    const [broken, whole] = shop.hooks;
    assert.ok(broken && whole);
    await w.harness.tamper(
      `update webhooks set secret = 's1.unknown.AAAA' where no = ${broken.no}`,
    );
    const life = await w.life();
    const outcome = await w.store.events.accept(
      [event(shop.id, "purchase", w.user())],
      offer(life),
    );
    assert.equal(accepted(outcome), 1);
    assert.equal(outcome.births.length, 2);
    assert.deepEqual(
      outcome.webhooks.map(({ no }) => no),
      [whole.no],
    );
  });
}

/** How long something has lasted differs from one reading to the next. */
function sorted<T extends { no: number; comeback?: unknown }>(webhooks: readonly T[]) {
  return webhooks
    .map(({ comeback, ...rest }) => ({ ...rest, comesBack: comeback !== undefined }))
    .sort((a, b) => a.no - b.no);
}
