import assert from "node:assert/strict";
import { test } from "node:test";
import { ChatBucket } from "./chat-bucket.ts";

function enter(bucket: ChatBucket, times: number): void {
  for (let i = 0; i < times; i += 1) bucket.enter();
}

test("before the first answer one goes at a time", () => {
  const bucket = new ChatBucket("a chat", null);
  assert.equal(bucket.room(0), 1);
  bucket.enter();
  assert.deepEqual([bucket.room(0), bucket.until(0)], [0, Infinity]);
  bucket.leave(true, 0);
  assert.equal(bucket.room(0), 1);
});

test("no more are in flight than may follow until the reset, and after it as many as the limit", () => {
  const bucket = new ChatBucket("a chat", null);
  bucket.learn({ limit: 5, remaining: 4, resetAfterMs: 2000 }, 100);
  assert.equal(bucket.room(100), 4);
  enter(bucket, 4);
  assert.deepEqual([bucket.room(100), bucket.until(100)], [0, 2100]);
  assert.equal(bucket.room(2100), 1, "the four may count in the new window");
  bucket.enter();
  assert.deepEqual([bucket.room(2100), bucket.until(2100)], [0, Infinity]);
});

test("of answers that overtake each other the lowest count is believed", () => {
  const bucket = new ChatBucket("a chat", null);
  bucket.learn({ limit: 5, remaining: 2, resetAfterMs: 1000 }, 0);
  bucket.learn({ limit: 5, remaining: 3, resetAfterMs: 999 }, 1);
  assert.equal(bucket.room(1), 2);
  bucket.learn({ limit: 5, remaining: 4, resetAfterMs: 1000 }, 1000);
  assert.equal(bucket.room(1000), 4, "a new window");
});

test("told to wait, none goes until then, whatever the counts say", () => {
  const bucket = new ChatBucket("a chat", null);
  bucket.learn({ limit: 5, remaining: 5, resetAfterMs: 10 }, 0);
  bucket.block(5000);
  assert.deepEqual([bucket.room(4999), bucket.until(20)], [0, 5000]);
  assert.equal(bucket.room(5000), 5);
  assert.equal(bucket.isIdle(4999), false);
  assert.equal(bucket.isIdle(5000), true);
});

test("without a word about limits, requests that were sent are counted, and a window has no more than its number", () => {
  const bucket = new ChatBucket("a chat", { requests: 3, windowMs: 1000 });
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
