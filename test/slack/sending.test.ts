import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { type ChatInstance, purchase, removal, startChatInstance } from "../chat-instance.ts";
import { type SlackStandIn, startSlack } from "./stand-in.ts";

async function setUp(
  t: TestContext,
  settings: Parameters<typeof startChatInstance>[2] = {},
): Promise<{ slack: SlackStandIn; instance: ChatInstance }> {
  const slack = await startSlack({ limit: 1000, perMs: 1000 });
  const instance = await startChatInstance(
    t,
    { slack: slack.origin },
    { chatLimits: { perSecond: 900, perAddress: { requests: 100, windowMs: 20 } }, ...settings },
  );
  t.after(() => slack.close());
  return { slack, instance };
}

test("a sale and its refund become two messages, and the log shows the request without the address", async (t) => {
  const { slack, instance } = await setUp(t);
  const channel = slack.addChannel();
  const resource = await instance.resource();
  await instance.webhook(resource, channel.url);
  await instance.report([purchase(resource, 7, { buyerName: "Ada", amount: "5.00" })]);
  await instance.report([removal(resource, 7, { reason: "refund" })]);
  await instance.untilEnded(2);
  assert.deepEqual(
    channel.messages.map(({ text }) => text),
    ["New sale: Castle 1\nBuyer: Ada, Amount: 5.00", "Refunded: Castle 1\nUser: 7"],
  );
  const [delivery] = await instance.deliveries();
  assert.equal(delivery?.state, "delivered");
  const detail = await instance.store.log.find(delivery?.deliveryId ?? "", null);
  const attempt = JSON.parse(detail?.attemptRecords[0]?.detail ?? "{}");
  assert.equal(attempt.chat.method, "POST");
  assert.equal(attempt.url, channel.url.replace(channel.token, "…"));
  assert.ok(!JSON.stringify(attempt).includes(channel.token));
  assert.deepEqual(slack.violations, []);
});

for (const [state, reason] of [
  ["no_service", "chat_deleted"],
  ["channel_is_archived", "chat_forbidden"],
  ["channel_not_found", "chat_forbidden"],
  ["action_prohibited", "chat_forbidden"],
] as const) {
  test(`${state} disables all webhooks of the address at the first answer, and nothing more is sent`, async (t) => {
    const { slack, instance } = await setUp(t);
    const channel = slack.addChannel();
    const resources = [await instance.resource("owner-1"), await instance.resource("owner-2")];
    const hooks = await Promise.all(resources.map((id) => instance.webhook(id, channel.url)));
    channel.state = state;
    await instance.report(resources.map((id) => purchase(id, 7)));
    const disabled = async (): Promise<(string | null)[]> =>
      await Promise.all(
        hooks.map(async ({ id }) => (await instance.store.webhooks.get(id, null)).disabledReason),
      );
    await instance.until(async () => (await disabled()).every((one) => one === reason));
    assert.equal(
      [...slack.answers.values()].reduce((sum, one) => sum + one, 0),
      1,
    );
  });
}

test("another token is known as such, and a ping tells it", async (t) => {
  const { slack, instance } = await setUp(t);
  const { url, token } = slack.addChannel();
  const other = url.replace(token, token.toUpperCase().padEnd(25, "x"));
  const webhook = await instance.webhook(await instance.resource(), other);
  const { outcome, status } = await instance.dispatcher.ping(webhook.id, null, "current");
  assert.deepEqual([outcome, status], ["chat_token", 403]);
});

test("what Slack refuses is not sent again and disables nothing; its trouble follows the schedule", async (t) => {
  const { slack, instance } = await setUp(t);
  const channel = slack.addChannel();
  const resource = await instance.resource();
  const webhook = await instance.webhook(resource, channel.url);
  slack.answerNext({ status: 400, body: "invalid_payload" });
  await instance.report([purchase(resource, 7)]);
  await instance.untilEnded(1);
  const [refused] = await instance.deliveries();
  assert.deepEqual([refused?.state, refused?.reason], ["dead", "chat_refused"]);
  slack.answerNext(
    { status: 500, body: "rollup_error" },
    { status: 404, body: "<html>not found</html>" },
  );
  await instance.report([purchase(resource, 8)]);
  await instance.untilEnded(2);
  const [again] = await instance.deliveries();
  assert.deepEqual([again?.state, again?.attempts], ["delivered", 3]);
  assert.equal((await instance.store.webhooks.get(webhook.id, null)).state, "active");
});

test("told to wait, it waits as long, and that uses up no attempt of the schedule", async (t) => {
  const { slack, instance } = await setUp(t, { schedule: [60_000] });
  const channel = slack.addChannel();
  const resource = await instance.resource();
  await instance.webhook(resource, channel.url);
  slack.answerNext({ status: 429, headers: { "Retry-After": "1" }, body: "rate_limited" });
  await instance.report([purchase(resource, 7)]);
  await instance.untilEnded(1);
  const [delivery] = await instance.deliveries();
  const detail = await instance.store.log.find(delivery?.deliveryId ?? "", null);
  assert.deepEqual(
    detail?.attemptRecords.map(({ outcome }) => outcome),
    ["throttled", "ok"],
  );
});

test("many sales at once go in short bursts that Slack takes, each once, and another channel does not wait", async (t) => {
  const window = { requests: 5, windowMs: 250 };
  // Two bursts may meet where one window ends and the next begins.
  const slack = await startSlack({ limit: 2 * window.requests, perMs: window.windowMs });
  t.after(() => slack.close());
  const limits = { chatLimits: { perAddress: window } };
  const instance = await startChatInstance(t, { slack: slack.origin }, limits);
  const [busy, calm] = [slack.addChannel(), slack.addChannel()];
  const resource = await instance.resource();
  const other = await instance.resource();
  await instance.webhook(resource, busy.url);
  await instance.webhook(other, calm.url);
  await instance.report(Array.from({ length: 30 }, (_, user) => purchase(resource, user)));
  await instance.report([purchase(other, 1)]);
  await slack.waitFor(() => calm.messages.length === 1);
  assert.ok(busy.messages.length < 30);
  await instance.untilEnded(31);
  assert.deepEqual([...slack.answers], [["200 ok", 31]]);
  assert.equal(new Set(busy.messages.map(({ text }) => text)).size, 30);
});
