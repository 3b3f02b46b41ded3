import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChatAnswer, chatFormat, DEFAULT_CHAT_OPTIONS } from "@markethook/chat";
import { ONE_INSTANCE } from "../gates/instance-count.ts";
import { sampleWebhook } from "../wiring/testing/samples.ts";
import { ChatPace } from "./chat-pace.ts";
import { createChatRoutes } from "./chat-route.ts";

const ANSWER: ChatAnswer = {
  outcome: "delivered",
  messageId: "1",
  pace: { limit: 2, remaining: 2, resetAfterMs: 1000 },
  retryAfterMs: null,
  global: false,
  invalid: false,
};

function setUp(change: { perSecond?: number; answers?: number } = {}) {
  const clock = { now: 1000 };
  const woken: string[] = [];
  const paused: number[] = [];
  const pace = new ChatPace({
    routes: createChatRoutes({}),
    now: () => clock.now,
    instances: ONE_INSTANCE,
    limitsOf: () => ({
      perSecond: change.perSecond ?? 1000,
      perAddress: null,
      invalid: { answers: change.answers ?? 1000, windowMs: 60_000 },
    }),
    wake: (place) => woken.push(place.name),
    paused: (ms) => paused.push(ms),
  });
  const webhook = (
    no: number,
    id = "123456789012345678",
    { ownerId = `owner-${no}`, token = "t" } = {},
  ) => {
    const url = `https://discord.com/api/webhooks/${id}/${token.repeat(68)}`;
    const recognised = chatFormat("discord").recognise(url);
    assert.ok(recognised !== null && "target" in recognised);
    const { shownUrl } = recognised.target;
    const options = JSON.stringify(DEFAULT_CHAT_OPTIONS);
    const chat = { shownUrl, options, target: "x", fault: null };
    return sampleWebhook({ no, ownerId, url, format: "discord", chat });
  };
  return { clock, woken, paused, pace, webhook };
}

test("a signed webhook passes without being counted", () => {
  const { pace } = setUp({ perSecond: 1 });
  const json = sampleWebhook();
  for (let i = 0; i < 100; i += 1) {
    assert.equal(pace.wait(json), null);
    pace.enter(json);
  }
});

test("webhooks that share an address share its bucket, and wait for the first answer", () => {
  const { pace, webhook, woken } = setUp();
  const [one, two] = [webhook(1), webhook(2)];
  assert.equal(pace.wait(one), null);
  pace.enter(one);
  const wait = pace.wait(two);
  assert.deepEqual(
    [wait?.reason, wait?.name, wait?.until(1000)],
    ["chat-address", "https://discord.com/api/webhooks/123456789012345678/…", Infinity],
  );
  assert.equal(pace.wait(webhook(3, "223456789012345678")), null);
  pace.answered(one, ANSWER);
  pace.leave(one, true);
  assert.ok(woken.includes("https://discord.com/api/webhooks/123456789012345678/…"));
  assert.equal(wait?.room(1000, "proven"), 2);
});

test("an address with a known id and a made-up token holds up nobody at the real one", async () => {
  const { clock, pace, webhook } = setUp();
  const real = webhook(1);
  const madeUp = webhook(2, undefined, { token: "u" });
  pace.enter(madeUp);
  assert.equal(pace.wait(real), null);
  pace.answered(madeUp, { ...ANSWER, outcome: "webhook_token", pace: null, invalid: true });
  pace.leave(madeUp, true);
  const ping = pace.turn(madeUp, 1000);
  assert.equal(pace.wait(real), null, "while the other one waits for its turn");
  clock.now += 1000;
  assert.equal(await ping, false);
});

test("told globally to wait, everything waits; told for one address, only that one", () => {
  const { clock, pace, webhook } = setUp();
  const [one, other] = [webhook(1), webhook(2, "223456789012345678")];
  pace.enter(one);
  pace.answered(one, { ...ANSWER, outcome: "throttled", retryAfterMs: 500 });
  pace.leave(one, true);
  assert.equal(pace.wait(one)?.until(clock.now), 1500);
  assert.equal(pace.wait(other), null);
  pace.enter(other);
  pace.answered(other, { ...ANSWER, outcome: "throttled", retryAfterMs: 5000, global: true });
  pace.leave(other, true);
  for (const webhookOf of [one, other]) assert.equal(pace.wait(webhookOf)?.until(clock.now), 6000);
  clock.now = 6000;
  assert.equal(pace.wait(one), null);
});

test("what is in flight counts in the budget of invalid answers as if it were one", () => {
  const { clock, pace, paused, webhook } = setUp({ answers: 3 });
  const hooks = [1, 2, 3, 4].map((no) => webhook(no, `${no}23456789012345678`));
  const [first, , third, fourth] = hooks;
  assert.ok(first && third && fourth);
  for (const hook of hooks.slice(0, 3)) {
    assert.equal(pace.wait(hook), null);
    pace.enter(hook);
  }
  clock.now += 10;
  assert.equal(pace.wait(fourth)?.until(clock.now), Infinity, "until one of the three is answered");
  pace.answered(third, ANSWER);
  pace.leave(third, true);
  assert.equal(pace.wait(fourth), null);
  for (const hook of hooks.slice(0, 2)) {
    pace.answered(hook, { ...ANSWER, outcome: "webhook_deleted", invalid: true });
    pace.leave(hook, true);
  }
  assert.deepEqual(paused, []);
  pace.enter(fourth);
  pace.answered(fourth, { ...ANSWER, outcome: "webhook_token", invalid: true });
  pace.leave(fourth, true);
  assert.deepEqual(paused, [60_000]);
  assert.equal(pace.wait(third)?.until(clock.now), 61_010);
  clock.now = 61_010;
  assert.equal(pace.wait(third), null);
});

test("one owner's webhooks take a quarter of the budget of invalid answers, and others go on", () => {
  const { clock, pace, paused, webhook, woken } = setUp({ answers: 40 });
  const hooks = Array.from({ length: 11 }, (_, no) =>
    webhook(no, String(123456789012345000n + BigInt(no)), { ownerId: "hostile" }),
  );
  const over = clock.now + 10 + 60_000;
  for (const hook of hooks.slice(0, 10)) {
    // As the rate over all chats allows.
    clock.now += 10;
    assert.equal(pace.wait(hook), null);
    pace.enter(hook);
    pace.answered(hook, { ...ANSWER, outcome: "webhook_deleted", invalid: true });
    pace.leave(hook, true);
  }
  const [oneMore = webhook(0)] = hooks.slice(10);
  const place = pace.wait(oneMore);
  assert.deepEqual([place?.reason, place?.until(clock.now)], ["chat-budget", over]);
  assert.match(place?.name ?? "", /one owner/);
  assert.equal(pace.wait(webhook(99)), null, "another owner's");
  assert.deepEqual(paused, [], "nothing to tell the operator");
  assert.ok(woken.includes(place?.name ?? ""));
  clock.now = over;
  assert.equal(pace.wait(oneMore), null);
});
