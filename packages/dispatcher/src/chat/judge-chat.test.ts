import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatAnswer } from "@markethook/chat";
import type { QueuedDelivery } from "@markethook/store";
import { sampleDelivery, sampleResult, sampleWebhook } from "../wiring/testing/samples.ts";
import { judgeChat } from "./judge-chat.ts";

const ANSWER: ChatAnswer = {
  outcome: "delivered",
  messageId: "1",
  pace: null,
  retryAfterMs: null,
  global: false,
  invalid: false,
};
const WEBHOOK = sampleWebhook({
  format: "discord",
  chat: { options: "{}", target: "abc", fault: null },
});

function judged(answer: Partial<ChatAnswer>, delivery: Partial<QueuedDelivery> = {}) {
  const attempt = { number: 1, outcome: "", status: 200, detail: "{}" };
  const rules = { schedule: [5000, 9000], throttledLimit: 3, random: () => 0.5, wallNow: () => 0 };
  const { verdict, settlement, coolDownMs } = judgeChat(
    sampleDelivery(delivery),
    WEBHOOK,
    sampleResult(),
    { ...ANSWER, ...answer },
    attempt,
    rules,
  );
  return { outcome: verdict.outcome, next: settlement.next, health: settlement.health, coolDownMs };
}

const NOT_COUNTED = { kind: "retry", counts: false } as const;

test("each kind of answer has one meaning for the delivery and its webhook", () => {
  const end = (state: string, reason: string | null) => ({ kind: "end", state, reason });
  assert.deepEqual(judged({}).next, end("delivered", null));
  assert.deepEqual(judged({ outcome: "refused" }).next, end("dead", "chat_refused"));
  assert.equal(judged({ outcome: "refused" }).health, undefined);
  assert.deepEqual(judged({ outcome: "failed" }).next, {
    kind: "retry",
    delayMs: 5000,
    counts: true,
    throttled: false,
  });
  assert.deepEqual(judged({ outcome: "failed" }).health, { kind: "failed", badRequest: false });
  assert.deepEqual(
    judged({ outcome: "failed" }, { step: 2 }).next,
    end("dead", "attempts_exhausted"),
  );
  assert.deepEqual(judged({ outcome: "message_gone" }).next, {
    ...NOT_COUNTED,
    delayMs: 0,
    throttled: false,
  });
  for (const [outcome, reason] of [
    ["webhook_deleted", "chat_deleted"],
    ["webhook_token", "chat_token"],
    ["webhook_forbidden", "chat_forbidden"],
  ] as const) {
    const { next, health, coolDownMs } = judged({ outcome });
    assert.deepEqual(next, end("dead", reason));
    assert.deepEqual(
      [health, coolDownMs],
      [{ kind: "disable_chat", reason, target: "abc" }, 600_000],
    );
  }
});

test("a throttled one goes again after exactly what was asked, for a limited number of times", () => {
  assert.deepEqual(judged({ outcome: "throttled", retryAfterMs: 1234 }).next, {
    ...NOT_COUNTED,
    delayMs: 1234,
    throttled: true,
    askedMs: 1234,
  });
  const last = judged({ outcome: "throttled", retryAfterMs: 1234 }, { throttled: 2 });
  assert.deepEqual(last.next, { kind: "end", state: "dead", reason: "throttled_too_often" });
});

test("an early one that failed, or was throttled, leaves its schedule as it was", () => {
  const early = { ...NOT_COUNTED, throttled: false, early: true };
  const failed = judged({ outcome: "failed" }, { early: true, step: 99 }).next;
  assert.deepEqual(failed, { ...early, delayMs: 5000 });
  const throttled = judged(
    { outcome: "throttled", retryAfterMs: 1e6 },
    { early: true, throttled: 2 },
  );
  assert.deepEqual(throttled.next, { ...early, delayMs: 1e6, askedMs: 1e6 });
});

test("a probe that succeeds brings its webhook back", () => {
  assert.deepEqual(judged({}, { probe: true }).health, { kind: "ok" });
});
