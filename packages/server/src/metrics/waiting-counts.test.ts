import assert from "node:assert/strict";
import { test } from "node:test";
import { type AttemptCount, NO_REPLIES } from "@markethook/store";
import { WaitingCounts } from "./waiting-counts.ts";

function count(webhookNo: number, change: Partial<AttemptCount> = {}): AttemptCount {
  const last = { lastAt: 1000, lastOutcome: "ok", lastStatus: 200, lastOkAt: 1000, okEvents: 4 };
  return {
    webhookNo,
    hour: 5,
    ok: 1,
    failed: 0,
    givenUp: 0,
    replies: NO_REPLIES,
    ...last,
    ...change,
  };
}

test("counts of one webhook and hour add up, and the last attempt is the latest", () => {
  const waiting = new WaitingCounts(3);
  assert.equal(waiting.add(count(7)), null);
  const later = { lastAt: 1002, lastOutcome: "timeout", lastStatus: null };
  assert.equal(waiting.add(count(7, { ok: 0, failed: 2, ...later })), null);
  waiting.add(count(7, { lastAt: 1001 }));
  assert.deepEqual(waiting.get(7), count(7, { ok: 2, failed: 2, ...later }));
  assert.deepEqual([waiting.size, waiting.has(7), waiting.get(8)], [1, true, null]);
});

test("replies by time and deliveries given up add up, and begin again with the next hour", () => {
  const waiting = new WaitingCounts(1);
  const replies = NO_REPLIES.map((_, index) => index);
  waiting.add(count(7, { replies, givenUp: 1 }));
  waiting.add(count(7, { replies, givenUp: 2 }));
  const doubled = { replies: replies.map((of) => of * 2), givenUp: 3 };
  assert.deepEqual(waiting.get(7), count(7, { ok: 2, ...doubled }));
  assert.deepEqual(waiting.add(count(7, { hour: 6 })), count(7, { ok: 2, ...doubled }));
  assert.deepEqual(waiting.take(1), [count(7, { hour: 6 })]);
  waiting.add(count(8));
  assert.deepEqual(waiting.get(8), count(8));
});

test("another hour stands in the place of the one before, which is answered", () => {
  const waiting = new WaitingCounts(3);
  waiting.add(count(7, { ok: 4 }));
  assert.deepEqual(waiting.add(count(7, { hour: 6 })), count(7, { ok: 4 }));
  assert.deepEqual(waiting.take(9), [count(7, { hour: 6 })]);
});

test("a full row is answered, and counting goes on in its place", () => {
  const waiting = new WaitingCounts(1);
  const replies = NO_REPLIES.map((_, index) => (index === 0 ? 40_000 : 0));
  const many = { ok: 30_000, failed: 10_000, givenUp: 10_000, replies };
  assert.equal(waiting.add(count(7, many)), null);
  assert.deepEqual(waiting.add(count(7, many)), count(7, many));
  assert.equal(waiting.add(count(7, { ok: 0, failed: 25_535 })), null);
  assert.deepEqual(waiting.add(count(7)), count(7, { ...many, failed: 35_535 }));
  assert.deepEqual(waiting.take(1), [count(7)]);
});

test("the first that came are taken first, round and round, and leave room", () => {
  const waiting = new WaitingCounts(3);
  const took: number[] = [];
  for (let no = 1; no <= 20; no += 1) {
    if (waiting.size === 3) took.push(...waiting.take(2).map(({ webhookNo }) => webhookNo));
    waiting.add(count(no));
    waiting.add(count(no));
  }
  took.push(...waiting.take(9).map(({ webhookNo, ok }) => (ok === 2 ? webhookNo : Number.NaN)));
  assert.deepEqual(
    took,
    Array.from({ length: 20 }, (_, at) => at + 1),
  );
  assert.deepEqual([waiting.size, waiting.take(1)], [0, []]);
});

test("there is room for so many webhooks, and for every count of those", () => {
  const waiting = new WaitingCounts(2);
  for (const no of [1, 2, 1]) waiting.add(count(no));
  assert.throws(() => waiting.add(count(3)), /no room/);
  assert.deepEqual(
    waiting.take(2).map(({ webhookNo, ok }) => [webhookNo, ok]),
    [
      [1, 2],
      [2, 1],
    ],
  );
});
