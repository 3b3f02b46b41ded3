import assert from "node:assert/strict";
import { test } from "node:test";
import { ONE_INSTANCE } from "../gates/instance-count.ts";
import { ChatRate } from "./chat-rate.ts";

test("within any second at most the rate and a small burst go, however they come", () => {
  const rate = new ChatRate("Chat", { perSecond: 45 }, ONE_INSTANCE, 0);
  const gone: number[] = [];
  for (let now = 0; now < 5000; now += 1) {
    // A pause in between must not be made up for.
    if (now > 2000 && now < 3000) continue;
    while (rate.room(now) > 0) {
      rate.take();
      gone.push(now);
    }
  }
  const most = Math.max(
    ...gone.map((from) => gone.filter((at) => at >= from && at < from + 1000).length),
  );
  assert.ok(most <= 48, `${most} in a second`);
  assert.ok(gone.length > 4 * 44);
});

test("it tells when the next one may go, and takes back what did not go", () => {
  const rate = new ChatRate("Chat", { perSecond: 10 }, ONE_INSTANCE, 0);
  for (let i = 0; i < 3; i += 1) rate.take();
  assert.deepEqual([rate.room(0), rate.until(0)], [0, 100]);
  rate.giveBack();
  assert.equal(rate.room(0), 1);
  rate.take();
  assert.equal(rate.mayBorrow(0), true, "a ping goes before the queue");
  rate.take();
  rate.take();
  assert.equal(rate.mayBorrow(0), false);
});

test("several instances have a part of the rate and of the burst each", () => {
  const instances = { current: () => 3, partOf: (perSecond: number) => perSecond / 3 };
  const rate = new ChatRate("Chat", { perSecond: 30 }, instances, 0);
  rate.take();
  assert.deepEqual([rate.room(0), rate.until(0)], [0, 100]);
  let gone = 0;
  for (let now = 0; now < 10_000; now += 1) {
    if (rate.room(now) === 0) continue;
    rate.take();
    gone += 1;
  }
  assert.ok(gone >= 98 && gone <= 100, `${gone} in ten seconds`);
});

test("an instance of more than share the burst still sends one at a time", () => {
  const instances = { current: () => 8, partOf: (perSecond: number) => perSecond / 8 };
  const rate = new ChatRate("Chat", { perSecond: 8 }, instances, 0);
  assert.equal(rate.room(0), 1);
  rate.take();
  assert.deepEqual([rate.room(999), rate.room(1000)], [0, 1]);
});

test("a ping is lent what the queue then waits for, and several instances divide that too", () => {
  /** How many pings go at once. */
  const lent = (count: number): number => {
    const instances = { current: () => count, partOf: (perSecond: number) => perSecond / count };
    const rate = new ChatRate("Chat", { perSecond: 1 }, instances, 0);
    let gone = 0;
    for (; rate.mayBorrow(0); gone += 1) rate.take();
    return gone;
  };
  assert.deepEqual([lent(1), lent(2), lent(4)], [5, 2, 1]);
});

test("while the platform told all chats to wait no ping goes either", () => {
  const rate = new ChatRate("Chat", { perSecond: 10 }, ONE_INSTANCE, 0);
  rate.blockedUntil = 500;
  assert.deepEqual([rate.mayBorrow(499), rate.mayBorrow(500)], [false, true]);
});

test("what did not go is given back up to the burst and no further", () => {
  const rate = new ChatRate("Chat", { perSecond: 1 }, ONE_INSTANCE, 0);
  for (let i = 0; i < 10; i += 1) rate.giveBack();
  for (let i = 0; i < 3; i += 1) rate.take();
  assert.equal(rate.room(0), 0);
});
