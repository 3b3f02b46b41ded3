import assert from "node:assert/strict";
import { test } from "node:test";
import type { SendableWebhook, Webhook } from "../port/webhooks.ts";
import { event, offer, only, retried, type World, withCode } from "./world.ts";

const OLD = "old-secret-old-secret-old-secret-old-secret-old!";
const NEW = "bmV3LXNlY3JldC1uZXctc2VjcmV0LW5ldy1zZWNyZXQtbmV3";

export function testWebhooks(world: () => World): void {
  test("a webhook is created, read, changed, listed newest first and deleted", async () => {
    const w = world();
    const shop = await w.shop(3);
    const [first, second, third] = shop.hooks;
    const id = second?.id ?? "";
    assert.deepEqual(await w.store.webhooks.get(id, shop.ownerId), second);
    const events = ["product.user.purchase", "product.update"] as const;
    const changed = await w.store.webhooks.change(id, shop.ownerId, {
      events: [...events],
      description: "my bot",
    });
    assert.deepEqual(new Set(changed.events), new Set(events));
    assert.equal(changed.description, "my bot");
    assert.equal((await w.store.webhooks.change(id, null, { events: null })).events, null);
    const filter = { ownerId: shop.ownerId, resourceId: shop.id };
    const page = await w.store.webhooks.list({ ...filter, limit: 2 });
    assert.deepEqual(ids(page), [third?.id, id]);
    const rest = await w.store.webhooks.list({ ...filter, afterNo: page[1]?.no ?? 0, limit: 2 });
    assert.deepEqual(ids(rest), [first?.id]);
    await w.store.webhooks.delete(id, shop.ownerId);
    await assert.rejects(w.store.webhooks.get(id, null), withCode("not_found"));
    assert.deepEqual(ids(await w.store.webhooks.list({ ...filter, limit: 9 })), [
      third?.id,
      first?.id,
    ]);
  });

  test("to another owner every webhook is absent, whatever he does with it", async () => {
    const w = world();
    const shop = await w.shop(1);
    const id = shop.hooks[0]?.id ?? "";
    const { webhooks, log } = w.store;
    const filter = { webhookId: id, ownerId: "stranger", from: 0, to: 1, states: [] };
    for (const act of [
      () => webhooks.get(id, "stranger"),
      () => webhooks.change(id, "stranger", { description: "" }),
      () => webhooks.delete(id, "stranger"),
      () => webhooks.pause(id, "stranger"),
      () => webhooks.resume(id, "stranger", "send"),
      () => webhooks.resume(id, "stranger", "drop"),
      () => webhooks.revealSecrets(id, "stranger"),
      () => webhooks.rotate(id, "stranger", { secret: NEW, mode: "switch_now" }),
      () => webhooks.switchSecret(id, "stranger"),
      () => webhooks.cancelRotation(id, "stranger"),
      () => log.reservePing(id, "stranger"),
      () => log.countReplay(filter),
      () => log.replayStep(filter, 0, 10),
    ]) {
      await assert.rejects(act(), withCode("not_found"));
    }
    await assert.rejects(
      w.store.webhooks.create({ ...INPUT, id: "wh_x", resourceId: shop.id }, "stranger"),
      withCode("resource_unknown"),
    );
    assert.deepEqual(await webhooks.list({ ownerId: "stranger", limit: 10 }), []);
    assert.equal((await webhooks.get(id, null)).state, "active");
  });

  test("a resource has at most 100 webhooks, also when they are created at the same time", async () => {
    const w = world();
    const shop = await w.shop(97);
    const created = await Promise.allSettled(
      Array.from({ length: 8 }, async () => await w.webhook(shop.id)),
    );
    const refused = created.filter((one) => one.status === "rejected");
    assert.equal(created.length - refused.length, 3);
    assert.ok(refused.every((one) => withCode("webhook_limit_reached")(one.reason)));
    await w.store.webhooks.delete(shop.hooks[0]?.id ?? "", null);
    await w.webhook(shop.id);
  });

  test("a webhook gets the events that its owner chose, and those that it was created for", async () => {
    const w = world();
    const shop = await w.shop(0);
    const chosen = await w.webhook(shop.id, { events: ["product.user.purchaseRemoved"] });
    const every = await w.webhook(shop.id);
    const life = await w.life();
    const { births } = await w.store.events.accept(
      [event(shop.id, "purchase", 1), event(shop.id, "removed", 2)],
      offer(life),
    );
    assert.deepEqual(
      births.map((birth) => [birth.webhookNo, birth.eventName]),
      [
        [every.no, "product.user.purchase"],
        [chosen.no, "product.user.purchaseRemoved"],
        [every.no, "product.user.purchaseRemoved"],
      ],
    );
  });

  test("secrets stand sealed in the rows and open only where they belong", async () => {
    const w = world();
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
    const w = world();
    const shop = await w.shop(0);
    const hook = await w.webhook(shop.id, { secret: OLD });
    assert.equal(hook.secretIsImportedText, true);
    const rotated = await rotate(w, hook, 60);
    assert.ok(rotated.rotation?.until !== null && rotated.rotation !== null);
    await assert.rejects(rotate(w, hook, 60), withCode("rotation_open"));
    await w.harness.advance(61_000);
    const over = await w.store.webhooks.get(hook.id, null);
    assert.deepEqual([over.rotation, over.secretIsImportedText], [null, false]);
    assert.deepEqual((await sendable(w, hook)).secrets, { current: NEW });
    await assert.rejects(
      w.store.webhooks.cancelRotation(hook.id, null),
      withCode("rotation_not_open"),
    );
    const again = await w.store.webhooks.rotate(hook.id, null, {
      secret: OLD,
      mode: "overlap",
      overlapSeconds: null,
    });
    assert.deepEqual(again.rotation, { until: null });
    assert.deepEqual((await sendable(w, hook)).secrets, { current: NEW, next: OLD });
  });

  test("a rotation is switched early, taken back, or done at once", async () => {
    const w = world();
    const shop = await w.shop(0);
    const hook = await w.webhook(shop.id, { secret: OLD });
    await assert.rejects(
      w.store.webhooks.switchSecret(hook.id, null),
      withCode("rotation_not_open"),
    );
    await rotate(w, hook, 60);
    const back = await w.store.webhooks.cancelRotation(hook.id, null);
    assert.deepEqual([back.rotation, back.secretIsImportedText], [null, true]);
    assert.deepEqual((await sendable(w, hook)).secrets, { current: OLD });
    await rotate(w, hook, null);
    await w.store.webhooks.switchSecret(hook.id, null);
    assert.deepEqual((await sendable(w, hook)).secrets, { current: NEW });
    await w.store.webhooks.rotate(hook.id, null, { secret: OLD, mode: "switch_now" });
    assert.deepEqual((await sendable(w, hook)).secrets, { current: OLD });
    const kinds = (await w.store.notices.list(0, 1000, shop.ownerId)).map(
      ({ kind, detail }) => `${kind} ${detail["mode"]}`,
    );
    assert.deepEqual(
      kinds,
      ["overlap", "cancelled", "overlap", "switched", "switch_now"].map(
        (mode) => `webhook_secret_changed ${mode}`,
      ),
    );
  });

  test("a changed URL leaves a notice with the hosts only", async () => {
    const w = world();
    const shop = await w.shop(1);
    const id = shop.hooks[0]?.id ?? "";
    await w.store.webhooks.change(id, null, { url: "https://other.example/token-in-path" });
    await w.store.webhooks.change(id, null, { url: "https://other.example/token-in-path" });
    const notice = only(await w.store.notices.list(0, 10, shop.ownerId));
    assert.deepEqual(
      [notice.kind, notice.webhookId, notice.detail],
      ["webhook_url_changed", id, { fromHost: "receiver.example", toHost: "other.example" }],
    );
  });

  test("resuming with send releases everything that was held", async () => {
    const w = world();
    const life = await w.life();
    const shop = await w.shop();
    const id = shop.hooks[0]?.id ?? "";
    assert.equal((await w.store.webhooks.pause(id, null)).state, "paused");
    await w.accept([1, 2, 3].map(() => event(shop.id, "purchase", w.user())));
    assert.deepEqual(await w.claimAll(life), []);
    assert.equal((await w.store.webhooks.resume(id, null, "send")).state, "active");
    assert.equal((await w.claimAll(life)).length, 3);
  });

  test("resuming with drop cancels what was held in bounded steps, then becomes active", async () => {
    const w = world();
    const life = await w.life();
    const shop = await w.shop();
    const id = shop.hooks[0]?.id ?? "";
    await w.store.webhooks.pause(id, null);
    await w.accept(Array.from({ length: 25 }, () => event(shop.id, "purchase", w.user())));
    const dropping = await w.store.webhooks.resume(id, null, "drop");
    assert.deepEqual([dropping.state, dropping.dropping], ["paused", true]);
    const [later] = await w.accept([event(shop.id, "purchase", w.user())]);
    assert.deepEqual(await w.claimAll(life), [], "nothing goes before the old ones are gone");
    const steps: number[] = [];
    for (let step = 0; step < 4; step += 1) steps.push(await w.store.deliveries.cancelMarked(10));
    assert.deepEqual(steps, [10, 10, 5, 0]);
    const after = await w.store.webhooks.get(id, null);
    assert.deepEqual([after.state, after.dropping], ["active", false]);
    const fresh = only(await w.claimAll(life));
    assert.ok(later?.includes(fresh.tag));
    const { items } = await w.store.log.list(
      { ownerId: null, webhookId: id, state: "cancelled" },
      { beforeSeq: null, limit: 100 },
    );
    assert.equal(items.length, 25);
    assert.ok(items.every((item) => item.reason === "dropped"));
    await w.deliver(life, [fresh]);
  });

  test("a drop waits for what is leased still: when that comes back, it is cancelled too", async () => {
    const w = world();
    const life = await w.life();
    const shop = await w.shop();
    const id = shop.hooks[0]?.id ?? "";
    const birth = await w.born(shop.id, life);
    await w.store.webhooks.pause(id, null);
    await w.store.webhooks.resume(id, null, "drop");
    assert.equal(await w.store.deliveries.cancelMarked(10), 0);
    assert.equal((await w.store.webhooks.get(id, null)).dropping, true);
    await w.settle(life, [retried(birth, 60_000)]);
    assert.equal(await w.store.deliveries.cancelMarked(10), 1);
    await w.store.deliveries.cancelMarked(10);
    assert.equal((await w.store.webhooks.get(id, null)).state, "active");
    assert.equal(await w.state(birth.seq), "cancelled");
  });

  test("who pauses while a backlog is dropped stays paused; who resumes with send keeps the rest", async () => {
    const w = world();
    const shop = await w.shop();
    const id = shop.hooks[0]?.id ?? "";
    await w.store.webhooks.pause(id, null);
    await w.accept([1, 2].map(() => event(shop.id, "purchase", w.user())));
    await w.store.webhooks.resume(id, null, "drop");
    await w.store.webhooks.pause(id, null);
    assert.deepEqual(
      [await w.store.deliveries.cancelMarked(10), await w.store.deliveries.cancelMarked(10)],
      [2, 0],
    );
    const paused = await w.store.webhooks.get(id, null);
    assert.deepEqual([paused.state, paused.dropping], ["paused", false]);
    assert.equal((await sendable(w, paused)).cancelled, false);
    await w.accept([1, 2].map(() => event(shop.id, "purchase", w.user())));
    await w.store.webhooks.resume(id, null, "drop");
    await w.store.deliveries.cancelMarked(1);
    await w.store.webhooks.resume(id, null, "send");
    assert.equal((await w.claimAll(await w.life())).length, 1);
  });

  test("a final answer during a drop keeps the webhook disabled", async () => {
    const w = world();
    const life = await w.life();
    const shop = await w.shop();
    const id = shop.hooks[0]?.id ?? "";
    const birth = await w.born(shop.id, life);
    await w.store.webhooks.pause(id, null);
    await w.store.webhooks.resume(id, null, "drop");
    await w.settle(life, [{ ...retried(birth, 0), health: { kind: "disable", reason: "gone" } }]);
    while ((await w.store.deliveries.cancelMarked(10)) > 0);
    await w.store.deliveries.cancelMarked(10);
    const after = await w.store.webhooks.get(id, null);
    assert.deepEqual(
      [after.state, after.disabledReason, after.dropping],
      ["disabled", "gone", false],
    );
  });

  test("resuming an active webhook changes nothing: what is on its way is not dropped", async () => {
    const w = world();
    const shop = await w.shop();
    const id = shop.hooks[0]?.id ?? "";
    await w.accept([event(shop.id, "purchase", 1)]);
    for (const held of ["send", "drop"] as const) {
      const hook = await w.store.webhooks.resume(id, null, held);
      assert.deepEqual([hook.state, hook.dropping], ["active", false]);
    }
    assert.equal(await w.store.deliveries.cancelMarked(10), 0);
  });

  test("a deleted webhook's open deliveries are cancelled in the background, leased ones by the sender", async () => {
    const w = world();
    const life = await w.life();
    const shop = await w.shop();
    const hook = only(shop.hooks);
    const birth = await w.born(shop.id, life);
    await w.accept(Array.from({ length: 5 }, () => event(shop.id, "purchase", w.user())));
    await w.store.webhooks.delete(hook.id, null);
    assert.equal((await sendable(w, hook)).cancelled, true);
    await w.accept([event(shop.id, "purchase", w.user())]);
    assert.deepEqual(
      [await w.store.deliveries.cancelMarked(3), await w.store.deliveries.cancelMarked(3)],
      [3, 2],
    );
    await w.settle(life, [retried(birth, 0)]);
    await w.harness.advance(120_000);
    assert.equal(await w.store.deliveries.cancelMarked(3), 1, "it came back much later");
    const { items } = await w.store.log.list(
      { ownerId: shop.ownerId, webhookId: hook.id },
      { beforeSeq: null, limit: 100 },
    );
    assert.deepEqual(
      [...new Set(items.map((item) => `${item.state} ${item.reason}`))],
      ["cancelled webhook_deleted"],
    );
    assert.equal(items.length, 6, "its log stays");
  });

  test("the sender hears of every change that matters to it", async () => {
    const w = world();
    const shop = await w.shop(1);
    const { id, no } = only(shop.hooks);
    const told: number[] = [];
    let ready = 0;
    w.store.onHint((hint) => {
      if (hint.kind === "webhooks") told.push(...hint.nos);
      else ready += 1;
    });
    const { webhooks, resources } = w.store;
    const steps: (() => Promise<unknown>)[] = [
      () => webhooks.pause(id, null),
      () => webhooks.resume(id, null, "send"),
      () => webhooks.change(id, null, { url: "https://b.example" }),
      () => webhooks.rotate(id, null, { secret: NEW, mode: "switch_now" }),
      () => resources.put([{ id: shop.id, ownerId: w.name("owner"), title: "T", subtitle: "" }]),
      () => webhooks.delete(id, null),
    ];
    for (const step of steps) {
      const before = told.length;
      await step();
      assert.ok(told.slice(before).includes(no), String(step));
    }
    assert.ok(ready >= 1, "resuming makes held deliveries ready");
  });
}

const INPUT = {
  url: "https://receiver.example",
  format: "json",
  events: null,
  description: "",
  secret: OLD,
} as const;

async function rotate(w: World, hook: Webhook, overlapSeconds: number | null): Promise<Webhook> {
  const rotation = { secret: NEW, mode: "overlap", overlapSeconds } as const;
  return await w.store.webhooks.rotate(hook.id, null, rotation);
}

async function sendable(w: World, hook: Webhook): Promise<SendableWebhook> {
  return only(await w.store.webhooks.forSending([hook.no]));
}

function ids(webhooks: readonly Webhook[]): string[] {
  return webhooks.map((webhook) => webhook.id);
}
