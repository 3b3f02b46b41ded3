import assert from "node:assert/strict";
import { test } from "node:test";
import type { QueuedDelivery, SendableWebhook, SettlementNext } from "@markethook/store";
import type { SendResult } from "../send/send-result.ts";
import { judge } from "./settlement.ts";
import { sampleDelivery, sampleResult, sampleWebhook } from "../wiring/testing/samples.ts";

const SECOND = 1000;
const DAY = 86_400_000;
const WALL = 1_700_000_000_000;
const ATTEMPT = { number: 1, outcome: "", status: null, detail: "{}" };

function judged(
  result: Partial<SendResult>,
  delivery: Partial<QueuedDelivery> = {},
  webhook: Partial<SendableWebhook> = {},
) {
  return judge(sampleDelivery(delivery), sampleWebhook(webhook), sampleResult(result), ATTEMPT, {
    schedule: [5 * SECOND, 300 * SECOND],
    throttledLimit: 3,
    // In the middle: no jitter.
    random: () => 0.5,
    wallNow: () => WALL,
  });
}

function retry(delayMs: number, change: Partial<SettlementNext> = {}): SettlementNext {
  return { kind: "retry", delayMs, counts: true, throttled: false, ...change } as SettlementNext;
}

const DEAD = (reason: string): SettlementNext => ({ kind: "end", state: "dead", reason });

const NEXT: readonly [string, Partial<SendResult>, SettlementNext][] = [
  ["200", { status: 200 }, { kind: "end", state: "delivered", reason: null }],
  ["204", { status: 204 }, { kind: "end", state: "delivered", reason: null }],
  ["302", { status: 302 }, retry(5 * SECOND)],
  ["400", { status: 400 }, retry(5 * SECOND)],
  ["404", { status: 404 }, retry(5 * SECOND)],
  ["410", { status: 410 }, DEAD("gone")],
  ["429", { status: 429 }, retry(5 * SECOND, { counts: false, throttled: true })],
  ["500", { status: 500 }, retry(5 * SECOND)],
  ["a time-out", { status: null, category: "timeout" }, retry(5 * SECOND)],
  ["an answer cut short", { status: 200, category: "connection_reset" }, retry(5 * SECOND)],
  ["a lost lease", { status: null, category: "lease_lost", sent: false }, { kind: "release" }],
  [
    "stopped before it was sent",
    { status: null, category: "stopped", sent: false },
    { kind: "release" },
  ],
  ["lost with its sender", { status: null, category: "sender_lost" }, { kind: "lost" }],
  ["stopped after it was sent", { status: null, category: "stopped" }, retry(5 * SECOND)],
  [
    "abort-message",
    { status: 500, headers: [["webhook-delivery", "abort-message"]] },
    DEAD("aborted_by_receiver"),
  ],
  [
    "disable",
    { status: 500, headers: [["webhook-delivery", "disable"]] },
    DEAD("disabled_by_receiver"),
  ],
];

for (const [name, result, next] of NEXT) {
  test(`on ${name}: ${describe(next)}`, () => {
    assert.deepEqual(judged(result).settlement.next, next);
  });
}

test("nothing is recorded of what was not sent for a reason of ours", () => {
  const ours = judged({ status: null, category: "lease_lost", sent: false }).settlement;
  assert.equal(ours.attempt, null);
  assert.equal(ours.health, undefined);
  assert.equal(judged({ status: 500 }).settlement.attempt, ATTEMPT);
});

test("each failure waits for the next delay, and after the last one the delivery is dead", () => {
  assert.deepEqual(judged({ status: 500 }, { step: 1 }).settlement.next, retry(300 * SECOND));
  assert.deepEqual(
    judged({ status: 500 }, { step: 2 }).settlement.next,
    DEAD("attempts_exhausted"),
  );
});

test("an early attempt that failed uses up no step, and is never the last one", () => {
  const early = (delayMs: number, change = {}): SettlementNext =>
    retry(delayMs, { counts: false, early: true, ...change });
  for (const status of [400, 429, 500]) {
    const { next } = judged({ status }, { early: true, step: 2, throttled: 2 }).settlement;
    assert.deepEqual(next, early(5 * SECOND));
  }
  const asked = judged({ status: 503, headers: [["Retry-After", "60"]] }, { early: true });
  assert.deepEqual(asked.settlement.next, early(60 * SECOND, { askedMs: 60 * SECOND }));
  assert.deepEqual(
    judged({ status: 200 }, { early: true }).settlement.next,
    judged({ status: 200 }).settlement.next,
  );
});

test("what the receiver asked for is stored with the retry, next to our own delay", () => {
  const { next } = judged(
    { status: 503, headers: [["Retry-After", "60"]] },
    { step: 1 },
  ).settlement;
  assert.deepEqual(next, retry(300 * SECOND, { askedMs: 60 * SECOND }));
});

test("Retry-After is honoured between our own delay and a day", () => {
  const delay = (value: string, step = 0): number => {
    const { next } = judged(
      { status: 503, headers: [["Retry-After", value]] },
      { step },
    ).settlement;
    return next.kind === "retry" ? next.delayMs : -1;
  };
  assert.equal(delay("60"), 60 * SECOND);
  assert.equal(delay("1"), 5 * SECOND);
  assert.equal(delay("60", 1), 300 * SECOND);
  assert.equal(delay("1000000000"), DAY);
  assert.equal(delay("soon"), 5 * SECOND);
  assert.equal(delay(new Date(WALL + 90 * SECOND).toUTCString()), 90 * SECOND);
});

test("the whole webhook is held for what was asked, not for this delivery's own delay", () => {
  const hold = (status: number, value: string, delivery: Partial<QueuedDelivery> = {}): number =>
    judged({ status, headers: [["Retry-After", value]] }, delivery).coolDownMs;
  assert.equal(hold(503, "60"), 60 * SECOND);
  assert.equal(hold(429, "60"), 60 * SECOND);
  assert.equal(hold(503, "3", { step: 1 }), 3 * SECOND);
  assert.equal(hold(503, "60", { step: 2 }), 60 * SECOND, "also when this delivery is dead by it");
  assert.equal(hold(503, "1000000000"), DAY);
  assert.equal(hold(200, "60"), 0);
  assert.equal(hold(410, "60"), 600 * SECOND, "or until its webhook is stored as disabled");
  assert.equal(judged({ status: 503 }).coolDownMs, 0);
});

test("a webhook whose request found no socket pauses for a second, and its delivery is given back", () => {
  const none = { status: null, category: "socket_limit", sent: false } as const;
  const { settlement, coolDownMs } = judged(none);
  assert.deepEqual([settlement.next, coolDownMs], [{ kind: "release" }, SECOND]);
  assert.equal(judged({ ...none, category: "lease_lost" }).coolDownMs, 0);
});

test("a throttled delivery keeps its place in the schedule, and is given up after the limit", () => {
  const throttled = { counts: false, throttled: true };
  assert.deepEqual(
    judged({ status: 429 }, { step: 1 }).settlement.next,
    retry(300 * SECOND, throttled),
  );
  assert.deepEqual(
    judged({ status: 429 }, { step: 2 }).settlement.next,
    retry(300 * SECOND, throttled),
  );
  assert.deepEqual(
    judged({ status: 429 }, { throttled: 1 }).settlement.next,
    retry(5 * SECOND, throttled),
  );
  assert.deepEqual(
    judged({ status: 429 }, { throttled: 2 }).settlement.next,
    DEAD("throttled_too_often"),
  );
});

test("a receiver that asks for less without end has days of it before a delivery is given up", () => {
  const rules = {
    schedule: [5 * SECOND],
    throttledLimit: 100,
    random: () => 0.5,
    wallNow: () => 0,
  };
  const waits: number[] = [];
  for (let throttled = 0; ; throttled += 1) {
    const delivery = sampleDelivery({ throttled });
    const answer = sampleResult({ status: 429 });
    const { next } = judge(delivery, sampleWebhook(), answer, ATTEMPT, rules).settlement;
    if (next.kind !== "retry") break;
    waits.push(next.delayMs / SECOND);
  }
  assert.deepEqual(waits.slice(0, 13), [...Array<number>(10).fill(5), 10, 20, 40]);
  assert.deepEqual(waits.slice(-2), [3600, 3600]);
  assert.ok(waits.reduce((sum, wait) => sum + wait) > 75 * 3600, "longer than after other answers");
});

test("a probe that fails uses up neither the schedule nor the throttled limit, and holds nothing", () => {
  const probe = { probe: true, step: 2, throttled: 2 };
  for (const result of [
    { status: 500 },
    { status: 429 },
    { status: 503, headers: [["Retry-After", "60"]] },
  ] satisfies Partial<SendResult>[]) {
    const { settlement, coolDownMs } = judged(result, probe, { state: "disabled" });
    assert.deepEqual(settlement.next, retry(0, { counts: false }));
    assert.equal(coolDownMs, 0);
  }
});

test("what is told about a webhook's health", () => {
  const health = (
    result: Partial<SendResult>,
    delivery: Partial<QueuedDelivery> = {},
    webhook: Partial<SendableWebhook> = {},
  ) => judged(result, delivery, webhook).settlement.health;
  assert.equal(health({ status: 200 }), undefined, "a healthy webhook's success is nothing new");
  assert.deepEqual(health({ status: 200 }, {}, { failing: true }), { kind: "ok" });
  assert.deepEqual(health({ status: 200 }, {}, { state: "disabled" }), { kind: "ok" });
  assert.deepEqual(health({ status: 200 }, { probe: true }), { kind: "ok" });
  assert.deepEqual(health({ status: 500 }), { kind: "failed", badRequest: false });
  assert.deepEqual(health({ status: 302 }), { kind: "failed", badRequest: false });
  assert.deepEqual(health({ status: 400 }), { kind: "failed", badRequest: true });
  assert.deepEqual(health({ status: null, category: "timeout" }), {
    kind: "failed",
    badRequest: false,
  });
  assert.equal(health({ status: 429 }), undefined);
  assert.deepEqual(health({ status: 410 }), { kind: "disable", reason: "gone", urlMark: "mark" });
  for (const status of [200, 500]) {
    assert.deepEqual(health({ status, headers: [["webhook-delivery", "disable"]] }), {
      kind: "disable",
      reason: "receiver_request",
      urlMark: "mark",
    });
  }
  assert.equal(health({ status: null, category: "stopped" }), undefined);
});

function describe(next: SettlementNext): string {
  if (next.kind === "release") return "given back";
  if (next.kind === "lost") return "given back as a suspect";
  if (next.kind === "end")
    return next.reason === null ? next.state : `${next.state}, ${next.reason}`;
  return next.throttled ? "again, not counted" : "again";
}
