import assert from "node:assert/strict";
import { test } from "node:test";
import { createLedgers } from "../queue/memory-ledger.ts";
import type { Standing, Waiter } from "../queue/place.ts";
import { WaitingRoom } from "../queue/waiting-room.ts";
import { type QueueEntry, WebhookQueue } from "../queue/webhook-queue.ts";
import { sampleDelivery } from "../wiring/testing/samples.ts";
import { Counter } from "./counter.ts";

/** A counter, and webhook queues that are named by their numbers. */
function setUp(cap: number, divided = false) {
  const ledgers = createLedgers(1_000_000);
  let out: Waiter[] = [];
  const room = new WaitingRoom({
    now: () => 0,
    ledgers,
    out: (queue) => out.push(queue),
    timeCame: () => undefined,
  });
  const state = { forgotten: 0 };
  const counter = new Counter("host", "a", cap, {
    divided,
    forget: () => (state.forgotten += 1),
  });
  const later = new Counter("slow-share", "slow", 1);
  const queues: WebhookQueue[] = [];
  function queue(no: number, standing: Standing = "proven"): WebhookQueue {
    const one = new WebhookQueue(no, no, 2, false, ledgers);
    one.push({
      delivery: sampleDelivery({ seq: no, webhookNo: no }),
      instanceNo: 1,
    } satisfies QueueEntry);
    one.slow = standing === "slow";
    one.proven = standing === "proven";
    queues.push(one);
    return one;
  }
  const woken = (): number[] => {
    const nos = out.map(({ no }) => no);
    out = [];
    return nos;
  };
  const of = (no: number): WebhookQueue => {
    const found = queues.find((one) => one.no === no);
    assert.ok(found);
    return found;
  };
  return {
    counter,
    later,
    room,
    state,
    queue,
    of,
    fill: (count: number): void => {
      for (let i = 0; i < count; i += 1) counter.enter();
    },
    waits: (count: number): void => {
      for (let no = 1; no <= count; no += 1) room.wait(queue(no), counter);
    },
    leave(): number[] {
      counter.leave();
      room.wake(counter);
      return woken();
    },
    /** What a woken queue does when its turn comes. */
    goes(no: number): number[] {
      const taken = room.takePermits(of(no));
      counter.enter();
      room.passOn(of(no), taken, false);
      return woken();
    },
    declines(no: number): number[] {
      room.passOn(of(no), room.takePermits(of(no)), true);
      return woken();
    },
    /** It was let out, and needs something else that it does not get. */
    waitsLater(no: number): number[] {
      const taken = room.takePermits(of(no));
      room.wait(of(no), later);
      room.passOn(of(no), taken, true);
      return woken();
    },
  };
}

test("it is full at its cap", () => {
  const { counter, fill } = setUp(2);
  fill(1);
  assert.equal(counter.isFull(0), false);
  fill(1);
  assert.equal(counter.isFull(0), true);
});

test("each slot that closes is for the one that has waited longest", () => {
  const { fill, waits, leave, goes } = setUp(2);
  fill(2);
  waits(3);
  assert.deepEqual(leave(), [1]);
  assert.deepEqual(goes(1), []);
  assert.deepEqual(leave(), [2]);
});

test("no more are woken than can go, however many slots close before they have tried", () => {
  const { fill, waits, leave, goes, counter } = setUp(3);
  fill(3);
  waits(100);
  for (const no of [1, 2, 3]) assert.deepEqual(leave(), [no]);
  for (const no of [1, 2, 3]) assert.deepEqual(goes(no), []);
  assert.equal(counter.isFull(0), true);
});

test("a permit counts as taken for all others", () => {
  const { fill, waits, leave, counter, room, of } = setUp(1);
  fill(1);
  waits(1);
  assert.deepEqual(leave(), [1]);
  assert.equal(counter.isFull(0), true);
  room.takePermits(of(1));
  assert.equal(counter.isFull(0), false);
});

test("a slot that the woken one did not need is for the next", () => {
  const { fill, waits, leave, goes, declines } = setUp(3);
  fill(3);
  waits(3);
  assert.deepEqual(leave(), [1]);
  assert.deepEqual(declines(1), [2]);
  assert.deepEqual(goes(2), []);
  assert.deepEqual(leave(), [3]);
});

test("while a request is open few are asked in vain; the next that ends asks on", () => {
  const { fill, waits, leave, declines } = setUp(2);
  fill(2);
  waits(1000);
  let [no] = leave();
  let asked = 0;
  while (no !== undefined) {
    asked = no;
    [no] = declines(no);
  }
  assert.ok(asked > 1 && asked < 50, `${asked} were asked`);
  fill(1);
  assert.deepEqual(leave(), [asked + 1]);
});

test("when nothing is open any more all are asked, for nothing else would wake them", () => {
  const { fill, waits, leave, declines, state } = setUp(1);
  fill(1);
  waits(1000);
  let [no] = leave();
  let asked = 0;
  while (no !== undefined) {
    asked = no;
    [no] = declines(no);
  }
  assert.equal(asked, 1000);
  assert.equal(state.forgotten, 1);
});

test("what was opened over the cap must end before any is woken", () => {
  const { fill, waits, leave } = setUp(1);
  fill(3);
  waits(1);
  assert.deepEqual(leave(), []);
  assert.deepEqual(leave(), []);
  assert.deepEqual(leave(), [1]);
});

test("one that leaves is not woken", () => {
  const { fill, waits, leave, room, of } = setUp(1);
  fill(1);
  waits(2);
  room.leave(of(1));
  room.leave(of(1));
  assert.deepEqual(leave(), [2]);
});

test("one that was refused often keeps its permit while it waits for something later, one at a time, and that wakes no other", () => {
  const { fill, waits, leave, waitsLater, room, of, counter } = setUp(4);
  fill(4);
  waits(100);
  for (const no of [1, 2]) {
    assert.deepEqual(leave(), [no]);
    of(no).refused = 8;
  }
  assert.deepEqual(waitsLater(1), []);
  assert.deepEqual([counter.keeper?.no, counter.permits], [1, 2]);
  assert.deepEqual(waitsLater(2), [3], "one keeps a permit already");
  room.leave(of(1));
  assert.deepEqual(waitsLater(1), [], "its own one it may keep again");
  assert.equal(counter.keeper?.no, 1);
});

test("one that was refused a few times only passes its permit on", () => {
  const { fill, waits, leave, waitsLater, counter } = setUp(4);
  fill(4);
  waits(2);
  leave();
  assert.deepEqual(waitsLater(1), [2]);
  assert.equal(counter.keeper, null);
});

test("where there are few slots no permit is kept", () => {
  const { fill, waits, leave, waitsLater, of, counter } = setUp(3);
  fill(3);
  waits(2);
  leave();
  of(1).refused = 8;
  assert.deepEqual(waitsLater(1), [2]);
  assert.equal(counter.keeper, null);
});

test("slow ones hold three quarters of a divided one, an eighth is for first requests, some for proven ones", () => {
  const { counter, fill } = setUp(64, true);
  const full = () =>
    (["slow", "more", "new", "proven"] as const).filter((standing) => counter.isFull(0, standing));
  for (let i = 0; i < 48; i += 1) counter.enter(true);
  assert.deepEqual(full(), ["slow"]);
  fill(8);
  assert.deepEqual(full(), ["slow", "more"]);
  fill(6);
  assert.deepEqual(full(), ["slow", "more", "new"]);
  fill(2);
  assert.deepEqual(full(), ["slow", "more", "new", "proven"]);
});

test("the lines of a divided one are asked in turns", () => {
  const { room, counter, queue, fill, leave } = setUp(8, true);
  fill(8);
  for (const [at, standing] of (["slow", "slow", "slow", "proven", "new"] as const).entries()) {
    room.wait(queue(at, standing), counter);
  }
  const woken = [0, 1, 2, 3, 4].flatMap(() => leave());
  assert.deepEqual(new Set(woken.slice(0, 3)), new Set([0, 3, 4]));
});
