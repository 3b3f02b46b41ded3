import assert from "node:assert/strict";
import { test } from "node:test";
import { ONE_INSTANCE } from "../gates/instance-count.ts";
import { ChatBucket } from "./chat-bucket.ts";

function enter(bucket: ChatBucket, times: number): void {
  for (let i = 0; i < times; i += 1) bucket.enter();
}

test("before the first answer one goes at a time", () => {
  const bucket = new ChatBucket("a chat", null, ONE_INSTANCE);
  assert.equal(bucket.room(0), 1);
  bucket.enter();
  assert.deepEqual([bucket.room(0), bucket.until(0)], [0, Infinity]);
  bucket.leave(true, 0);
  assert.equal(bucket.room(0), 1);
});

test("no more are in flight than may follow until the reset, and after it as many as the limit", () => {
  const bucket = new ChatBucket("a chat", null, ONE_INSTANCE);
  bucket.learn({ limit: 5, remaining: 4, resetAfterMs: 2000 }, 100);
  assert.equal(bucket.room(100), 4);
  enter(bucket, 4);
  assert.deepEqual([bucket.room(100), bucket.until(100)], [0, 2100]);
  assert.equal(bucket.room(2100), 1, "the four may count in the new window");
  bucket.enter();
  assert.deepEqual([bucket.room(2100), bucket.until(2100)], [0, Infinity]);
});

test("of answers that overtake each other the lowest count is believed", () => {
  const bucket = new ChatBucket("a chat", null, ONE_INSTANCE);
  bucket.learn({ limit: 5, remaining: 2, resetAfterMs: 1000 }, 0);
  bucket.learn({ limit: 5, remaining: 3, resetAfterMs: 999 }, 1);
  assert.equal(bucket.room(1), 2);
  bucket.learn({ limit: 5, remaining: 4, resetAfterMs: 1000 }, 1000);
  assert.equal(bucket.room(1000), 4, "a new window");
});

test("told to wait, none goes until then, whatever the counts say", () => {
  const bucket = new ChatBucket("a chat", null, ONE_INSTANCE);
  bucket.learn({ limit: 5, remaining: 5, resetAfterMs: 10 }, 0);
  bucket.block(5000);
  assert.deepEqual([bucket.room(4999), bucket.until(20)], [0, 5000]);
  assert.equal(bucket.room(5000), 5);
  assert.equal(bucket.isIdle(4999), false);
  assert.equal(bucket.isIdle(5000), true);
});

test("without a word about limits, requests that were sent are counted, and a window has no more than its number", () => {
  const bucket = new ChatBucket("a chat", { requests: 3, windowMs: 1000 }, ONE_INSTANCE);
  assert.equal(bucket.room(100), 1, "the first one goes alone");
  bucket.enter();
  bucket.leave(true, 100);
  assert.equal(bucket.room(100), 2);
  enter(bucket, 2);
  assert.deepEqual([bucket.room(200), bucket.until(200)], [0, 1100]);
  bucket.leave(false, 200);
  assert.equal(bucket.room(200), 1, "what was not sent does not count");
  bucket.enter();
  bucket.leave(true, 300);
  assert.equal(bucket.room(300), 0);
  bucket.leave(true, 1100);
  assert.equal(bucket.room(1100), 2, "one that was open at the end counts in the next window");
});

const LIMIT = 5;
const WINDOW_MS = 2000;

/** Lets instances with these delays send to one address all the time. Returns the sent and the refused requests. */
function sendTogether(count: number, busy: readonly number[], forMs: number) {
  const instances = { current: () => count };
  const senders = busy.map((delayMs) => ({
    delayMs,
    bucket: new ChatBucket("a chat", null, instances),
  }));
  const window = { used: 0, endsAt: 0 };
  const sent: number[] = [];
  const refused: number[] = [];
  const due = new Map<number, (() => void)[]>();
  const later = (at: number, work: () => void): void => {
    due.set(at, [...(due.get(at) ?? []), work]);
  };
  for (let now = 0; now < forMs; now += 1) {
    for (const work of due.get(now) ?? []) work();
    for (const { bucket, delayMs } of senders) {
      if (bucket.room(now) === 0) continue;
      bucket.enter();
      later(now + delayMs, () => {
        const at = now + delayMs;
        if (at >= window.endsAt) Object.assign(window, { used: 0, endsAt: at + WINDOW_MS });
        const taken = window.used < LIMIT;
        if (taken) window.used += 1;
        (taken ? sent : refused).push(at);
        const resetAfterMs = window.endsAt - at;
        const pace = { limit: LIMIT, remaining: LIMIT - window.used, resetAfterMs };
        later(at + delayMs, () => {
          if (taken) bucket.learn(pace, at + delayMs);
          else bucket.block(at + delayMs + resetAfterMs);
          bucket.leave(true, at + delayMs);
        });
      });
    }
  }
  return { sent: sent.length, refused };
}

test("several instances use up a limit together, and none is refused", () => {
  for (let count = 2; count <= LIMIT; count += 1) {
    const delays = Array.from({ length: count }, (_, index) => 20 + index * 7);
    const { sent, refused } = sendTogether(count, delays, 30 * WINDOW_MS);
    assert.deepEqual(refused, [], `${count} instances`);
    assert.ok(sent >= 28 * LIMIT, `${count} instances: ${sent} sent`);
  }
});

test("one of several instances that alone has something to send leaves one request of a window to each other", () => {
  for (let count = 2; count <= LIMIT; count += 1) {
    const { sent, refused } = sendTogether(count, [30], 30 * WINDOW_MS);
    assert.deepEqual(refused, []);
    assert.ok(sent >= 28 * (LIMIT - count + 1), `${count} instances: ${sent} sent`);
  }
});

test("a platform that says nothing about limits gets no more than its number of several instances", () => {
  for (const [count, each] of [
    [2, 2],
    [4, 1],
  ] as const) {
    const instances = { current: () => count };
    const bucket = new ChatBucket("a chat", { requests: 5, windowMs: 1000 }, instances);
    let sent = 0;
    for (; bucket.room(100) > 0; sent += 1) {
      bucket.enter();
      bucket.leave(true, 100);
    }
    assert.equal(sent, each);
    assert.deepEqual([bucket.until(100), bucket.room(1100)], [1100, 1]);
  }
});

test("an instance that does not know how many there are sends one in a window", () => {
  const bucket = new ChatBucket("a chat", null, { current: () => Infinity });
  bucket.enter();
  bucket.learn({ limit: 5, remaining: 4, resetAfterMs: 2000 }, 0);
  bucket.leave(true, 0);
  assert.deepEqual([bucket.room(0), bucket.until(0), bucket.room(2000)], [0, 2000, 1]);
});
