import assert from "node:assert/strict";
import { test } from "node:test";
import type { WatchedDelivery } from "@markethook/store";
import { createFeedMemory } from "./feed-memory.ts";

const NOW = 1_000_000;

function delivery(seq: number, change: Partial<WatchedDelivery> = {}): WatchedDelivery {
  return {
    seq,
    webhookNo: 1,
    mark: "live 0",
    open: true,
    waiting: false,
    createdAt: NOW,
    ...change,
  };
}

/** A memory of readings with at most three ended deliveries of a webhook, or as many as are given. */
function createMemory() {
  const { changes } = createFeedMemory();
  return {
    changes: (nos: number[], of: ReturnType<typeof look>, perWebhook = 3) =>
      changes(nos, of, perWebhook),
  };
}

function look(deliveries: WatchedDelivery[], full: number[] = [], now = NOW) {
  return { now, deliveries, full };
}

test("the first look at a webhook finds nothing new, and the next what is new or different", () => {
  const memory = createMemory();
  assert.deepEqual(memory.changes([1], look([delivery(1), delivery(2)])).seqs, []);
  const next = look([delivery(3), delivery(2, { mark: "done 1", open: false }), delivery(1)]);
  assert.deepEqual(memory.changes([1], next).seqs, [2, 3]);
  assert.deepEqual(memory.changes([1], next).seqs, []);
});

test("an open delivery that is out of sight has changed, an ended one has not", () => {
  const memory = createMemory();
  memory.changes([1], look([delivery(1), delivery(2, { open: false })]));
  assert.deepEqual(memory.changes([1], look([])).seqs, [1]);
});

test("a number below the last one is seen when its transaction commits later", () => {
  const memory = createMemory();
  memory.changes([1], look([delivery(10)]));
  assert.deepEqual(memory.changes([1], look([delivery(10), delivery(9)])).seqs, [9]);
});

test("an old delivery that comes into sight because others left is not told", () => {
  const memory = createMemory();
  memory.changes([1], look([]));
  const old = delivery(1, { waiting: true, createdAt: NOW - 60_000 });
  assert.deepEqual(memory.changes([1], look([old])).seqs, []);
});

test("a delivery that was made and failed long before this reading, but after the last one, is told", () => {
  const memory = createMemory();
  memory.changes([1], look([]));
  // The database answered no reading for a minute.
  const later = NOW + 60_000;
  const made = delivery(1, { mark: "pending 1", waiting: true, createdAt: NOW + 1000 });
  assert.deepEqual(memory.changes([1], look([made], [], later)).seqs, [1]);
  const old = delivery(2, { waiting: true, createdAt: NOW + 1000 });
  assert.deepEqual(memory.changes([1], look([made, old], [], later)).seqs, []);
});

test("where not everything was in sight, that is told together with a change", () => {
  const memory = createMemory();
  memory.changes([1, 2], look([], [1, 2]));
  const { full } = memory.changes([1, 2], look([delivery(1)], [1, 2]));
  assert.deepEqual([...full], [1]);
});

test("where more have been made and have ended than are read, that is told", () => {
  const memory = createMemory();
  const ended = (...seqs: number[]) => look(seqs.map((seq) => delivery(seq, { open: false })));
  const isFull = (...seqs: number[]): boolean => memory.changes([1], ended(...seqs)).full.has(1);
  assert.equal(isFull(1), false);
  assert.equal(isFull(1, 2, 3), false);
  assert.equal(isFull(3, 4, 5), false, "all after the third are there");
  assert.equal(isFull(7, 8, 9), true, "the sixth can be missing");
  assert.equal(isFull(7, 8, 9), false);
});

test("a webhook that nobody watched for a while begins again", () => {
  const memory = createMemory();
  memory.changes([1], look([delivery(1)]));
  memory.changes([], look([]));
  assert.deepEqual(memory.changes([1], look([delivery(2)])).seqs, []);
});

test("ended deliveries that come into sight or leave it, because more or fewer are read, are not told", () => {
  const memory = createMemory();
  const ended = (...seqs: number[]) => look(seqs.map((seq) => delivery(seq, { open: false })));
  memory.changes([1], ended(7, 8, 9));
  const more = memory.changes([1], ended(5, 6, 7, 8, 9, 10), 6);
  assert.deepEqual([more.seqs, [...more.full]], [[10], []]);
  const fewer = memory.changes([1], ended(9, 10, 11));
  assert.deepEqual([fewer.seqs, [...fewer.full]], [[11], []]);
});

test("of deliveries below the oldest ended one that is in sight, a new one that is open is told, and an ended one is not", () => {
  const memory = createMemory();
  const ended = [7, 8, 9].map((seq) => delivery(seq, { open: false }));
  memory.changes([1], look(ended));
  const next = memory.changes([1], look([delivery(5), delivery(6, { open: false }), ...ended]));
  assert.deepEqual([next.seqs, [...next.full]], [[5], []]);
});

test("where not all that wait are in sight, and more or fewer are read, that is told alone", () => {
  const memory = createMemory();
  memory.changes([1, 2], look([delivery(1), delivery(2, { webhookNo: 2 })], [1]));
  const next = memory.changes([1, 2], look([delivery(9), delivery(2, { webhookNo: 2 })], [1]), 1);
  assert.deepEqual([next.seqs, [...next.full]], [[], [1]]);
});
