import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { listenOnLoopback } from "@markethook/protocol/testing";
import { type ChatInstance, purchase, removal, startChatInstance } from "../chat-instance.ts";
import { UNKNOWN_MESSAGE } from "./answers.ts";
import { type DiscordStandIn, startDiscord } from "./stand-in.ts";

const FAST = { bucket: { limit: 5, perMs: 20 }, global: { limit: 1000, perMs: 1000 } };

async function setUp(
  t: TestContext,
  settings: Parameters<typeof startChatInstance>[2] = {},
): Promise<{ discord: DiscordStandIn; instance: ChatInstance }> {
  const discord = await startDiscord(FAST);
  const instance = await startChatInstance(
    t,
    { discord: discord.origin },
    {
      chatLimits: { perSecond: 900 },
      ...settings,
    },
  );
  t.after(() => discord.close());
  return { discord, instance };
}

test("a purchase becomes one message in the channel, and the log shows the request without the address", async (t) => {
  const { discord, instance } = await setUp(t);
  const channel = discord.addChannel();
  const resource = await instance.resource();
  await instance.webhook(resource, channel.url);
  await instance.report([purchase(resource, 7, { buyerName: "Ada", amount: "5.00" })]);
  await instance.untilEnded(1);
  const [delivery] = await instance.deliveries();
  assert.equal(delivery?.state, "delivered");
  assert.equal(channel.messages.length, 1);
  assert.match(JSON.stringify(channel.messages[0]), /Ada/);
  const detail = await instance.store.log.find(delivery?.deliveryId ?? "", null);
  const attempt = JSON.parse(detail?.attemptRecords[0]?.detail ?? "{}");
  assert.equal(attempt.chat.method, "POST");
  assert.equal(attempt.url, `https://discord.com/api/v10/webhooks/${channel.id}/…?wait=true`);
  assert.ok(!JSON.stringify(attempt).includes(channel.token));
  assert.equal(discord.violations.size, 0);
  assert.deepEqual(instance.attempts[0]?.host, "discord.com");
});

test("a refund changes the sale's message, and gets one of its own when that is gone", async (t) => {
  const { discord, instance } = await setUp(t);
  const channel = discord.addChannel();
  const resource = await instance.resource();
  await instance.webhook(resource, channel.url, { refunds: "edit" });
  await instance.report([purchase(resource, 7), purchase(resource, 8)]);
  // Right behind its purchase, which it waits for.
  await instance.report([removal(resource, 7, { reason: "refund" })]);
  await instance.untilEnded(3);
  assert.deepEqual(
    channel.messages.map((message) => message.edits).toSorted((a, b) => a - b),
    [0, 1],
    "no third message",
  );
  channel.messages.length = 0;
  await instance.report([removal(resource, 8, { reason: "chargeback" })]);
  await instance.untilEnded(4);
  assert.equal(channel.messages.length, 1);
  const [last] = await instance.deliveries();
  const detail = await instance.store.log.find(last?.deliveryId ?? "", null);
  assert.deepEqual(
    detail?.attemptRecords.map(({ outcome }) => outcome),
    ["chat_message_gone", "ok"],
  );
});

test("a chat that misses a message where none was to be changed is asked again by the schedule only", async (t) => {
  const { discord, instance } = await setUp(t);
  const channel = discord.addChannel();
  const resource = await instance.resource();
  await instance.webhook(resource, channel.url);
  discord.answerNext(...Array.from({ length: 10 }, () => UNKNOWN_MESSAGE));
  await instance.report([purchase(resource, 7)]);
  await instance.untilEnded(1);
  // Three retries.
  assert.deepEqual(
    instance.attempts.map(({ outcome }) => outcome),
    ["http_error", "http_error", "http_error", "http_error"],
  );
});

test("all webhooks of an address are disabled by the first answer that says it is gone, and their owners are told", async (t) => {
  const { discord, instance } = await setUp(t);
  const channel = discord.addChannel();
  const [one, two] = [await instance.resource("owner-1"), await instance.resource("owner-2")];
  const hooks = [
    await instance.webhook(one, channel.url),
    await instance.webhook(one, channel.url),
    await instance.webhook(two, channel.url),
  ];
  const other = await instance.webhook(two, discord.addChannel().url);
  channel.state = "deleted";
  await instance.report([purchase(one, 7)]);
  await instance.until(
    async () => (await instance.store.webhooks.get(hooks[2]?.id ?? "", null)).state === "disabled",
  );
  for (const { id } of hooks) {
    const { state, disabledReason } = await instance.store.webhooks.get(id, null);
    assert.deepEqual([state, disabledReason], ["disabled", "chat_deleted"]);
  }
  assert.equal((await instance.store.webhooks.get(other.id, null)).state, "active");
  assert.equal(discord.invalid.total, 1);
  const notices = await instance.store.notices.list(0, 10, null);
  assert.deepEqual(
    notices.map(({ kind, ownerId, detail }) => [kind, ownerId, detail["reason"]]),
    [
      ["webhook_disabled", "owner-1", "chat_deleted"],
      ["webhook_disabled", "owner-1", "chat_deleted"],
      ["webhook_disabled", "owner-2", "chat_deleted"],
    ],
  );
});

test("told to wait, it waits exactly as long, and that uses up no attempt of the schedule", async (t) => {
  const { discord, instance } = await setUp(t, { schedule: [60_000] });
  const channel = discord.addChannel();
  const resource = await instance.resource();
  await instance.webhook(resource, channel.url);
  discord.answerNext({
    status: 429,
    headers: { "Retry-After": "1", "X-RateLimit-Scope": "user" },
    body: { message: "You are being rate limited.", retry_after: 0.2, global: false },
  });
  const from = performance.now();
  await instance.report([purchase(resource, 7)]);
  await instance.untilEnded(1);
  assert.ok(performance.now() - from >= 200);
  const [delivery] = await instance.deliveries();
  const detail = await instance.store.log.find(delivery?.deliveryId ?? "", null);
  assert.deepEqual(
    detail?.attemptRecords.map(({ outcome }) => outcome),
    ["throttled", "ok"],
  );
});

test("what Discord refuses is not sent again and disables nothing; its trouble follows the schedule", async (t) => {
  const { discord, instance } = await setUp(t);
  const channel = discord.addChannel();
  const resource = await instance.resource();
  const webhook = await instance.webhook(resource, channel.url);
  discord.answerNext({ status: 400, body: { code: 50035, message: "Invalid Form Body" } });
  await instance.report([purchase(resource, 7)]);
  await instance.untilEnded(1);
  const [refused] = await instance.deliveries();
  assert.deepEqual([refused?.state, refused?.reason], ["dead", "chat_refused"]);
  discord.answerNext({ status: 502, body: "<html>bad gateway</html>" });
  await instance.report([purchase(resource, 8)]);
  await instance.untilEnded(2);
  const [again] = await instance.deliveries();
  assert.deepEqual([again?.state, again?.attempts], ["delivered", 2]);
  assert.equal((await instance.store.webhooks.get(webhook.id, null)).state, "active");
});

test("a ping posts, waits a little for its turn, and sends nothing when that does not come", async (t) => {
  const { discord, instance } = await setUp(t, { chatPingPatienceMs: 200 });
  const channel = discord.addChannel();
  const resource = await instance.resource();
  const webhook = await instance.webhook(resource, channel.url);
  const first = await instance.dispatcher.ping(webhook.id, null, "current");
  assert.deepEqual([first.outcome, channel.messages.length], ["ok", 1]);
  assert.ok(first.request.url.startsWith("https://discord.com/api/v10/webhooks/"));
  const stored = await instance.store.log.find(first.deliveryId, null);
  for (const shown of [first, stored, first.request.head])
    assert.ok(!JSON.stringify(shown).includes(channel.token));
  discord.answerNext({
    status: 429,
    headers: { "X-RateLimit-Scope": "user" },
    body: { message: "You are being rate limited.", retry_after: 30, global: false },
  });
  const limited = await instance.dispatcher.ping(webhook.id, null, "current");
  assert.deepEqual([limited.outcome, limited.status], ["throttled", 429]);
  const late = await instance.dispatcher.ping(webhook.id, null, "current");
  assert.deepEqual([late.outcome, late.status, late.response], ["throttled", null, null]);
  assert.equal(channel.messages.length, 1);
});

test("a ping that finds the chat's webhook gone disables all that have its address, and none asks it again", async (t) => {
  const { discord, instance } = await setUp(t);
  const channel = discord.addChannel();
  const [first, second] = [await instance.resource(), await instance.resource()];
  const webhooks = [
    await instance.webhook(first, channel.url),
    await instance.webhook(second, channel.url),
  ];
  channel.state = "deleted";
  const { outcome, status } = await instance.dispatcher.ping(
    webhooks[0]?.id ?? "",
    null,
    "current",
  );
  assert.deepEqual([outcome, status], ["chat_deleted", 404]);
  for (const { id } of webhooks) {
    const { state, disabledReason } = await instance.store.webhooks.get(id, null);
    assert.deepEqual([state, disabledReason], ["disabled", "chat_deleted"]);
  }
  await instance.report([purchase(first, 7), purchase(second, 8)]);
  await instance.until(async () => (await instance.store.maintenance.statistics()).pending === 2);
  assert.equal(instance.dispatcher.statistics().queued, 0);
  assert.deepEqual([...discord.answers], [["404 10015", 1]]);
});

test("a template that fails is told once, and the default message goes", async (t) => {
  const { discord, instance } = await setUp(t);
  const channel = discord.addChannel();
  const resource = await instance.resource();
  const webhook = await instance.webhook(resource, channel.url, {
    messages: { "product.user.purchase": { title: "{no such placeholder}" } },
  });
  await instance.report([purchase(resource, 7), purchase(resource, 8)]);
  await instance.untilEnded(2);
  assert.equal(channel.messages.length, 2);
  const told = await instance.store.notices.list(0, 10, "owner-1");
  assert.deepEqual(
    told.map(({ kind }) => kind),
    ["chat_template_failed"],
  );
  assert.notEqual((await instance.store.webhooks.get(webhook.id, null)).chatFault, null);
});

test("what has to wait for long waits in the database, and a signed webhook next to it goes on", async (t) => {
  const { discord, instance } = await setUp(t);
  const resource = await instance.resource();
  const other = await instance.resource();
  for (let i = 0; i < 5; i += 1) await instance.webhook(resource, discord.addChannel().url);
  const received = Promise.withResolvers<void>();
  const receiver = createServer((request, response) => {
    request.resume();
    response.end();
    received.resolve();
  });
  const port = await listenOnLoopback(receiver);
  t.after(() => receiver.close().closeAllConnections());
  await instance.webhook(other, `http://127.0.0.1:${port}/`);
  const everybody = {
    status: 429,
    headers: { "X-RateLimit-Global": "true", "X-RateLimit-Scope": "global" },
    body: { message: "You are being rate limited.", retry_after: 600, global: true },
  };
  discord.answerNext(...Array.from({ length: 5 }, () => everybody));
  await instance.report(Array.from({ length: 100 }, (_, i) => purchase(resource, i)));
  const statistics = () => instance.store.maintenance.statistics();
  await instance.until(async () => (await statistics()).pending === 500);
  assert.deepEqual([(await statistics()).leased, instance.dispatcher.statistics().queued], [0, 0]);
  await instance.report([purchase(other, 7)]);
  await received.promise;
  assert.ok((discord.answers.get("429 global") ?? 0) <= 5);
});

test("the address stands nowhere on the disk, whatever happens to it", async (t) => {
  const { discord, instance } = await setUp(t);
  const channels = [discord.addChannel(), discord.addChannel(), discord.addChannel()];
  const resource = await instance.resource();
  const [first, gone, wrong] = await Promise.all(
    channels.map((channel) => instance.webhook(resource, channel.url)),
  );
  if (channels[1] !== undefined) channels[1].state = "deleted";
  // A server in between that repeats what it was asked for.
  discord.answerNext({
    status: 502,
    headers: { Location: channels[0]?.url ?? "" },
    body: `<p>Cannot reach ${channels[0]?.url}</p>`,
  });
  await instance.report([purchase(resource, 7)]);
  await instance.untilEnded(3);
  await instance.dispatcher.ping(first?.id ?? "", null, "current");
  await instance.store.webhooks.change(wrong?.id ?? "", null, {
    url: channels[1]?.url ?? "",
    shownUrl: "https://discord.com/api/webhooks/1/…",
    format: "discord",
  });
  const copyId = "wh_copyofthefirst";
  const target = await instance.resource();
  await instance.store.webhooks.copy(first?.id ?? "", null, {
    id: copyId,
    resourceId: target,
    secret: "s".repeat(32),
  });
  await instance.report([purchase(target, 8)]);
  // With the ping.
  await instance.untilEnded(5);
  assert.equal((await instance.store.webhooks.get(gone?.id ?? "", null)).state, "disabled");
  const disk = readdirSync(instance.folder).map((name) =>
    readFileSync(join(instance.folder, name)),
  );
  for (const { token } of channels) {
    assert.ok(!disk.some((bytes) => bytes.includes(token)));
    assert.ok(!JSON.stringify([instance.attempts, instance.faults]).includes(token));
  }
});
