import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChatAnswer, chatFormat, DEFAULT_CHAT_OPTIONS } from "@markethook/chat";
import { type InstanceCount, ONE_INSTANCE } from "../gates/instance-count.ts";
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

type Instances = Pick<InstanceCount, "current" | "latest" | "partOf">;

function setUp(change: { perSecond?: number; answers?: number; instances?: Instances } = {}) {
  const clock = { now: 1000 };
  const woken: string[] = [];
  const paused: { ms: number; answers: number }[] = [];
  const pace = new ChatPace({
    routes: createChatRoutes({}),
    now: () => clock.now,
    instances: change.instances ?? ONE_INSTANCE,
    limitsOf: () => ({
      perSecond: change.perSecond ?? 1000,
      perAddress: null,
      invalid: { answers: change.answers ?? 1000, windowMs: 60_000 },
    }),
    wake: (place) => woken.push(place.name),
    paused: (ms, answers) => paused.push({ ms, answers }),
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
  const { clock, pace, paused, webhook, woken } = setUp({ answers: 3 });
  const hooks = [1, 2, 3, 4].map((no) => webhook(no, `${no}23456789012345678`));
  const [first, , third, fourth] = hooks;
  assert.ok(first && third && fourth);
  for (const hook of hooks.slice(0, 3)) {
    assert.equal(pace.wait(hook), null);
    pace.enter(hook);
  }
  clock.now += 10;
  const place = pace.wait(fourth);
  assert.equal(place?.until(clock.now), Infinity, "until one of the three is answered");
  pace.answered(third, ANSWER);
  pace.leave(third, true);
  assert.ok(woken.includes(place.name));
  assert.equal(pace.wait(fourth), null);
  for (const hook of hooks.slice(0, 2)) {
    pace.answered(hook, { ...ANSWER, outcome: "webhook_deleted", invalid: true });
    pace.leave(hook, true);
  }
  assert.deepEqual(paused, []);
  pace.enter(fourth);
  pace.answered(fourth, { ...ANSWER, outcome: "webhook_token", invalid: true });
  pace.leave(fourth, true);
  assert.deepEqual(paused, [{ ms: 60_000, answers: 3 }]);
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

test("what was not sent takes nothing of the rate", () => {
  const { pace, webhook } = setUp({ perSecond: 1 });
  const hooks = [1, 2, 3].map((no) => webhook(no, `${no}23456789012345678`));
  const next = webhook(4, "423456789012345678");
  for (const hook of hooks) pace.enter(hook);
  const [first = next, second = next] = hooks;
  pace.leave(first, true);
  assert.equal(pace.wait(next)?.reason, "chat-platform");
  pace.leave(second, false);
  assert.equal(pace.wait(next), null);
});

const REFUSED: ChatAnswer = { ...ANSWER, outcome: "webhook_deleted", pace: null, invalid: true };

test("a ping goes only where its refusal has room in both budgets, and where the platform and the address let it", async () => {
  const chat = "923456789012345678";
  const share = setUp({ answers: 8 });
  const budget = setUp({ answers: 2 });
  const rate = setUp({ perSecond: 1 });
  const blocked = setUp();
  // A quarter of eight; both of two, by two owners; three at once and two that are lent; one address.
  for (const no of [1, 2]) {
    const own = share.webhook(no, `${no}23456789012345678`, { ownerId: "o" });
    share.pace.enter(own);
    share.pace.answered(own, REFUSED);
    share.pace.leave(own, true);
  }
  for (const no of [1, 2]) budget.pace.enter(budget.webhook(no, `${no}23456789012345679`));
  for (let no = 0; no < 5; no += 1) rate.pace.enter(rate.webhook(no, `${no}23456789012345679`));
  blocked.pace.enter(blocked.webhook(1, chat));
  for (const { pace, webhook } of [share, budget, rate, blocked])
    assert.equal(await pace.turn(webhook(9, chat, { ownerId: "o" }), 0), false);
  const { pace, webhook } = share;
  assert.equal(await pace.turn(webhook(9, chat, { ownerId: "another" }), 0), true);
});

test("what one platform allows is divided among the instances", () => {
  const of = (count: number): Instances => ({
    current: () => count,
    latest: () => count,
    partOf: (perSecond) => perSecond / count,
  });
  const chatOf = (no: number) => String(123456789012345000n + BigInt(no));
  /** How many of ten requests to chats of their own go at once, all of one owner or each of another. */
  const going = (change: Parameters<typeof setUp>[0], ownerId?: string): number => {
    const { pace, webhook, clock } = setUp(change);
    let gone = 0;
    for (let no = 0; no < 10; no += 1) {
      // So that the rate has room for each, unless it is the limit.
      clock.now += 10;
      const one = webhook(no, chatOf(no), ownerId === undefined ? {} : { ownerId });
      if (pace.wait(one) !== null) break;
      pace.enter(one);
      gone += 1;
    }
    return gone;
  };
  for (const count of [1, 2]) {
    const instances = of(count);
    assert.equal(going({ answers: 4, instances }), 4 / count, "the budget of refused requests");
    assert.equal(going({ answers: 16, instances }, "owner"), 4 / count, "an owner's part of it");
    assert.equal(going({ perSecond: 1, instances }), count === 1 ? 3 : 1, "the rate");
    const { pace, webhook, clock } = setUp({ instances });
    const one = webhook(1);
    pace.enter(one);
    pace.answered(one, { ...ANSWER, pace: { limit: 5, remaining: 4, resetAfterMs: 1000 } });
    pace.leave(one, true);
    pace.enter(one);
    clock.now += 10;
    assert.equal(pace.wait(one) === null, count === 1, "an address");
  }
});

test("of many addresses and owners those in use are remembered, and others are forgotten", () => {
  const { pace, webhook, clock } = setUp({ answers: 16 });
  /** While a request to it is open: the place at which others of its address wait, and that of its owner's others. */
  const placesOf = (no: number): unknown[] => {
    const ownerId = `owner of ${no}`;
    const own = webhook(no, `${no}23456789012345678`, { ownerId });
    const others = [2, 3, 4].map((one) => webhook(one, `${one}34567890123456789`, { ownerId }));
    for (const one of [own, ...others]) pace.enter(one);
    clock.now += 10;
    const places = [pace.wait(webhook(99, `${no}23456789012345678`)), pace.wait(own)];
    for (const one of others) pace.leave(one, true);
    if (no > 1) pace.leave(own, true);
    return places;
  };
  const [open, idle] = [placesOf(1), placesOf(2)];
  assert.deepEqual(
    [...open, ...idle].map((place) => (place as { reason?: string } | null)?.reason),
    ["chat-address", "chat-budget", "chat-address", "chat-budget"],
  );
  for (let no = 0; no <= 20_000; no += 1)
    pace.wait(webhook(100 + no, String(300000000000000000n + BigInt(no))));
  clock.now += 60_000;
  const [openAfter, idleAfter] = [placesOf(1), placesOf(2)];
  for (const index of [0, 1]) {
    assert.equal(openAfter[index], open[index]);
    assert.notEqual(idleAfter[index], idle[index]);
  }
});
