import assert from "node:assert/strict";
import { test } from "node:test";
import { deliveryId } from "@markethook/protocol";
import type { QueuedDelivery } from "../port/deliveries.ts";
import type { Webhook, WebhookInput } from "../port/webhooks.ts";
import type { Tables } from "../tables.ts";
import { importedWebhook } from "./imports.ts";
import { only, refused } from "./checks.ts";
import { newest } from "./lists.ts";
import { event } from "./reports.ts";
import { DAY, delivered, settled } from "./settlements.ts";
import type { World } from "./world.ts";

const TOKEN = "tOkEn-of-the-channel_0123456789012345678901234567890123456789";
const SHOWN = "https://discord.com/api/webhooks/123456789012345678/…";
const OPTIONS = '{"messages":{},"refunds":"edit","threadId":null}';

export function channel(name = ""): Pick<WebhookInput, "url" | "format" | "shownUrl" | "chat"> {
  const url = `https://discord.com/api/webhooks/123456789012345678/${TOKEN}${name}`;
  return { url, format: "discord", shownUrl: SHOWN, chat: OPTIONS };
}

const TABLES: readonly (keyof Tables)[] = [
  "meta",
  "resources",
  "webhooks",
  "webhook_health",
  "attempt_counts",
  "events",
  "leased",
  "pending",
  "ended",
  "attempts",
  "notices",
  "chat_messages",
];

export function testChats(w: World): void {
  test("a chat's address goes to the sender alone: what is read elsewhere, and every table, has only what may be shown", async (t) => {
    const shop = await w.shop(0);
    const hook = await w.webhook(shop.id, channel());
    assert.deepEqual([hook.url, hook.format, hook.chat], [SHOWN, "discord", OPTIONS]);
    const sendable = only(await w.store.webhooks.forSending([hook.no]));
    assert.equal(sendable.url, channel().url);
    assert.deepEqual([sendable.shownUrl, sendable.chat?.options], [SHOWN, OPTIONS]);
    const target = await w.resource(shop.ownerId);
    const copy = await w.store.webhooks.copy(hook.id, shop.ownerId, {
      id: w.name("wh"),
      resourceId: target.id,
      secret: "s".repeat(32),
    });
    assert.deepEqual([copy.url, copy.resourceId, copy.chat], [SHOWN, target.id, OPTIONS]);
    const copied = only(await w.store.webhooks.forSending([copy.no]));
    assert.deepEqual([copied.url, copied.chat?.target], [sendable.url, sendable.chat?.target]);
    await w.accept(w.purchases(shop.id));
    for (const table of TABLES) {
      assert.ok(!JSON.stringify(await w.harness.rows(table)).includes(TOKEN), table);
    }
    t.diagnostic(`${TABLES.length} tables`);
  });

  test("a copy goes to resources of the webhook's owner only, and a stranger finds nothing to copy", async () => {
    const shop = await w.shop(0);
    const hook = await w.webhook(shop.id, channel());
    const other = await w.resource();
    const to = { id: w.name("wh"), resourceId: other.id, secret: "s".repeat(32) };
    const { webhooks } = w.store;
    await refused(webhooks.copy(hook.id, null, to), "resource_unknown");
    await refused(webhooks.copy(hook.id, other.ownerId, to), "not_found");
  });

  test("a change of address may change the format, both ways, and the notice names hosts only", async () => {
    const shop = await w.shop(1);
    const { id, no } = shop.hook;
    const { webhooks } = w.store;
    const chat = await webhooks.change(id, null, channel());
    assert.deepEqual([chat.url, chat.format, chat.chat], [SHOWN, "discord", OPTIONS]);
    const more = '{"messages":{},"refunds":"post","threadId":"123456789012345678"}';
    assert.equal((await webhooks.change(id, null, { chat: more })).chat, more);
    const { url, format, shownUrl } = channel("2");
    assert.equal((await webhooks.change(id, null, { url, format, shownUrl })).chat, more);
    const json = await webhooks.change(id, null, { url: "https://receiver.example/again" });
    assert.deepEqual([json.format, json.chat], ["json", null]);
    assert.equal(only(await webhooks.forSending([no])).chat, null);
    assert.equal((await webhooks.change(id, null, { chat: more })).chat, null);
    const notices = await w.notices(shop.ownerId);
    assert.deepEqual(
      notices.map(({ detail }) => [detail["fromHost"], detail["toHost"]]),
      [
        ["receiver.example", "discord.com"],
        ["discord.com", "discord.com"],
        ["discord.com", "receiver.example"],
      ],
    );
  });

  test("an answer about an address disables all webhooks that have it now, of all owners, once", async () => {
    const instanceNo = await w.instanceNo();
    const [one, two] = [await w.shop(0), await w.shop(0)];
    const mine = await w.webhook(one.id, channel());
    const paused = await w.webhook(one.id, channel());
    await w.store.webhooks.pause(paused.id, null);
    const foreign = await w.webhook(two.id, channel());
    const moved = await w.webhook(two.id, channel());
    const delivery = await w.acceptOne(one.id, instanceNo);
    const target = only(await w.store.webhooks.forSending([mine.no])).chat?.target ?? "";
    await w.store.webhooks.change(moved.id, null, channel("elsewhere"));
    const dead = settled(
      delivery,
      { kind: "end", state: "dead", reason: "chat_deleted" },
      { outcome: "chat_deleted", status: 404 },
      { kind: "disable_chat", reason: "chat_deleted", target },
    );
    const { changedWebhooks } = await w.settle(instanceNo, [dead]);
    assert.deepEqual(changedWebhooks, [mine.no, paused.no, foreign.no]);
    for (const { id } of [mine, paused, foreign]) {
      const { state, disabledReason } = await w.store.webhooks.get(id, null);
      assert.deepEqual([state, disabledReason], ["disabled", "chat_deleted"]);
    }
    assert.equal((await w.store.webhooks.get(moved.id, null)).state, "active");
    const told = await w.notices(two.ownerId);
    assert.deepEqual(
      told.filter(({ kind }) => kind === "webhook_disabled").map(({ webhookId }) => webhookId),
      [foreign.id],
    );
    await w.harness.advance(DAY);
    assert.deepEqual(await w.probes(instanceNo, 1000), [], "never probed");
    assert.equal((await w.store.webhooks.resume(mine.id, null, "send")).state, "active");
  });

  test("a ping's answer about an address disables all webhooks that have it, and is audited", async () => {
    const [one, two] = [await w.shop(0), await w.shop(0)];
    const mine = await w.webhook(one.id, channel());
    const foreign = await w.webhook(two.id, channel());
    await w.store.webhooks.pause(foreign.id, null);
    const moved = await w.webhook(two.id, channel("elsewhere"));
    const gone = await w.webhook(two.id, channel());
    await w.store.webhooks.delete(gone.id, null);
    const target = only(await w.store.webhooks.forSending([mine.no])).chat?.target ?? "";
    await w.store.chat.disable(target, "chat_deleted");
    await w.store.chat.disable(target, "chat_token");
    for (const { id } of [mine, foreign]) {
      const { state, disabledReason } = await w.store.webhooks.get(id, null);
      assert.deepEqual([state, disabledReason], ["disabled", "chat_deleted"]);
    }
    assert.equal((await w.store.webhooks.get(moved.id, null)).state, "active");
    const told = await w.notices(two.ownerId);
    assert.deepEqual(
      told.map(({ kind, webhookId, detail }) => [kind, webhookId, detail]),
      [["webhook_disabled", foreign.id, { reason: "chat_deleted" }]],
    );
    const about = { ownerId: null, subjectId: foreign.id, action: "webhook.disable" } as const;
    const row = only((await w.store.audit.list(about, newest(10))).items);
    assert.deepEqual(
      [row.actor.kind, row.before?.["state"], row.after?.["disabledReason"]],
      ["system", "paused", "chat_deleted"],
    );
  });

  test("a webhook that has another address by the time of the answer is not disabled for the old one", async () => {
    const { instanceNo, shop } = await w.shopAndInstance(0);
    const hook = await w.webhook(shop.id, channel());
    const target = only(await w.store.webhooks.forSending([hook.no])).chat?.target ?? "";
    const delivery = await w.acceptOne(shop.id, instanceNo);
    await w.store.webhooks.change(hook.id, null, channel("new"));
    const next = { kind: "end", state: "dead", reason: "chat_token" } as const;
    const signal = { kind: "disable_chat", reason: "chat_token", target } as const;
    await w.settle(instanceNo, [settled(delivery, next, {}, signal)]);
    assert.equal((await w.store.webhooks.get(hook.id, null)).state, "active");
  });

  test("a sale's message is found for the refund of the same buyer at the same webhook, the newest one before it", async () => {
    const { instanceNo, shop } = await w.shopAndInstance(0);
    const hook = await w.webhook(shop.id, channel());
    const user = w.user();
    const sold = await buy(w, instanceNo, shop.id, user, "m1", '{"buyerName":"Ada"}');
    const again = await buy(w, instanceNo, shop.id, user, "m2");
    const refund = await w.acceptOne(shop.id, instanceNo, event(shop.id, "removed", user));
    const later = await buy(w, instanceNo, shop.id, w.user(), "m3");
    const { chat } = w.store;
    const found = await chat.context({
      eventSeq: refund.eventSeq,
      saleOf: { webhookNo: hook.no, userId: user },
    });
    assert.equal(found.details, null);
    assert.deepEqual(found.sale, {
      messageId: "m2",
      time: again.eventTime,
      payload: again.payload,
      details: null,
    });
    await chat.forgetMessage(hook.no, "m2");
    const before = await chat.context({
      eventSeq: refund.eventSeq,
      saleOf: { webhookNo: hook.no, userId: user },
    });
    assert.deepEqual([before.sale?.messageId, before.sale?.payload], ["m1", sold.payload]);
    assert.equal(before.sale?.details, '{"buyerName":"Ada"}');
    const none = { eventSeq: refund.eventSeq, saleOf: { webhookNo: hook.no, userId: w.user() } };
    assert.equal((await chat.context(none)).sale, null);
    assert.equal((await chat.context({ eventSeq: later.eventSeq, saleOf: null })).sale, null);
  });

  test("a message is remembered only by who held the lease, a redelivered one newly, and goes with its event", async () => {
    const { instanceNo, shop } = await w.shopAndInstance(0);
    const hook = await w.webhook(shop.id, channel());
    const user = w.user();
    const lost = await w.acceptOne(shop.id, instanceNo, event(shop.id, "purchase", user));
    const message = { chatMessage: { userId: user, messageId: "lost" } };
    await w.settle(instanceNo + 1000, [{ ...delivered(lost), ...message }]);
    assert.deepEqual(await messages(w, hook), []);
    await w.settle(instanceNo, [
      { ...delivered(lost), chatMessage: { userId: user, messageId: "m1" } },
    ]);
    await w.store.log.redeliver(deliveryId(lost), null, false);
    const again = only(await w.claimAll(instanceNo));
    await w.settle(instanceNo, [
      { ...delivered(again), chatMessage: { userId: user, messageId: "m2" } },
    ]);
    assert.deepEqual(await messages(w, hook), ["m2"]);
    await w.harness.advance(60 * DAY);
    await w.prune(30 * DAY, DAY, 100);
    assert.deepEqual(await messages(w, hook), []);
  });

  test("a template's fault is noted and told once, until the options are changed", async () => {
    const shop = await w.shop(0);
    const hook = await w.webhook(shop.id, channel());
    const { chat, webhooks } = w.store;
    await chat.noteFault(hook.no, "other options", "It is of the past.");
    await chat.noteFault(hook.no, OPTIONS, "There is no {x}.");
    await chat.noteFault(hook.no, OPTIONS, "There is no {x}.");
    assert.equal((await webhooks.get(hook.id, null)).chatFault, "There is no {x}.");
    const told = async (): Promise<string[]> =>
      (await w.notices(shop.ownerId)).map(({ kind }) => kind);
    assert.deepEqual(await told(), ["chat_template_failed"]);
    await webhooks.change(hook.id, null, { chat: OPTIONS });
    assert.equal((await webhooks.get(hook.id, null)).chatFault, null);
    await chat.noteFault(hook.no, OPTIONS, "There is no {x}.");
    assert.equal((await told()).length, 2);
    await chat.notePaused({ seconds: 600 });
    const last = (await w.store.notices.newest(1))[0];
    assert.deepEqual([last?.kind, last?.ownerId, last?.webhookId], ["chat_paused", "", null]);
  });

  test("a chat's webhook is imported once, with its address encrypted, and again when its record changes", async () => {
    const shop = await w.resource();
    const record = importedWebhook(shop.id, { ...channel(), importId: "7" });
    const run = async (change: object = {}): Promise<string> =>
      only(await w.import([{ ...record, ...change }])).kind;
    assert.deepEqual([await run(), await run()], ["created", "unchanged"]);
    const hook = await w.store.webhooks.get(record.newId, null);
    assert.deepEqual([hook.url, hook.format, hook.chat], [SHOWN, "discord", OPTIONS]);
    assert.equal(only(await w.store.webhooks.forSending([hook.no])).url, record.url);
    assert.ok(!JSON.stringify(await w.harness.rows("webhooks")).includes(TOKEN));
    assert.equal(await run(channel("moved")), "updated");
    assert.equal(only(await w.store.webhooks.forSending([hook.no])).url, channel("moved").url);
    await w.store.webhooks.change(hook.id, null, { chat: '{"messages":{}}' });
    assert.equal(await run({ description: "other" }), "rejected", "changed here");
  });

  test("a chat's webhook that brings no secret gets one, which stays, and which a rotation may change", async () => {
    const shop = await w.resource();
    const record = importedWebhook(shop.id, { ...channel(), secretMade: true });
    const made = "m".repeat(32);
    const run = async (secret: string, change: object = {}): Promise<string> =>
      only(await w.import([{ ...record, secret, ...change }])).kind;
    const current = async (): Promise<string> =>
      (await w.store.webhooks.revealSecrets(record.newId, null)).current;
    assert.deepEqual([await run(made), await run("n".repeat(32))], ["created", "unchanged"]);
    assert.equal(await current(), made);
    assert.equal(await run("o".repeat(32), { description: "other" }), "updated");
    assert.equal(await current(), made);
    const rotated = "r".repeat(32);
    await w.store.webhooks.rotate(record.newId, null, { secret: rotated, mode: "switch_now" });
    assert.equal(await run(made, { description: "third" }), "updated");
    assert.equal(await current(), rotated);
  });
}

async function buy(
  w: World,
  instanceNo: number,
  resourceId: string,
  userId: number,
  messageId: string,
  details?: string,
): Promise<QueuedDelivery> {
  const item = event(resourceId, "purchase", userId, details === undefined ? {} : { details });
  const preLeased = await w.lease(instanceNo, [item]);
  const delivery = only(preLeased);
  await w.settle(instanceNo, [{ ...delivered(delivery), chatMessage: { userId, messageId } }]);
  return delivery;
}

async function messages(w: World, hook: Webhook): Promise<unknown[]> {
  return (await w.rowsOf("chat_messages", hook.no)).map((row) => row["message_id"]);
}
