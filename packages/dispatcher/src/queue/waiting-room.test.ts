import assert from "node:assert/strict";
import { test } from "node:test";
import type { Gate } from "../gates/gate.ts";
import { queueBench } from "../wiring/testing/queue-bench.ts";
import { Place, type WaitReason } from "./place.ts";

class FakePlace extends Place {
  now = 0;
  time = Infinity;

  override room(): number {
    return this.now;
  }

  override until(): number {
    return this.time;
  }
}

/** A gate before the webhooks 1 to 9. */
function fakeGate() {
  const place = new FakePlace("slow-start", "a test");
  const state = { place, entered: 0, left: 0 };
  const gate: Gate = {
    reasons: ["slow-start"],
    wait: ({ no }, _queue, now) => (no <= 9 && place.isFull(now) ? place : null),
    enter({ no }) {
      if (no > 9) return;
      place.now -= 1;
      state.entered += 1;
    },
    leave({ no }) {
      if (no <= 9) state.left += 1;
    },
  };
  return { gate, state, place };
}

test("who waits before a gate blocks nobody, and goes in turn when it is woken", (t) => {
  const { gate, state } = fakeGate();
  const { queue, push, sent } = queueBench(t, { gates: [gate] });
  for (const no of [1, 2, 10, 1, 2, 10]) push(no, 1);
  assert.deepEqual(
    sent.map((one) => one.no),
    [10, 10],
  );
  state.place.now = 3;
  queue.wake(state.place);
  assert.deepEqual(
    sent.slice(2).map((one) => one.no),
    [1, 2, 1],
  );
  queue.wake(state.place);
  assert.equal(state.entered, 3, "there is no room any more");
  for (const one of sent.slice()) one.finish();
  assert.equal(state.left, 3);
});

test("who went without waiting is patient again: he passes his permit on, and keeps it only after many refusals", (t) => {
  const first = new FakePlace("dry-run", "asked first");
  const second = new FakePlace("slow-start", "asked second");
  const gateOf = (place: FakePlace, mayPass: (no: number) => boolean): Gate => ({
    reasons: [place.reason],
    wait: ({ no }, _queue, now) => (!mayPass(no) && place.isFull(now) ? place : null),
    enter: ({ no }) => void (place.now -= mayPass(no) ? 0 : 1),
  });
  const gates = [gateOf(first, () => false), gateOf(second, (no) => no > 1)];
  const { queue, push, sent } = queueBench(t, { gates });
  const numbers = (): number[] => sent.map(({ no }) => no);
  const offer = (place: FakePlace): void => {
    place.now = 1;
    queue.wake(place);
  };

  push(1, 1);
  offer(first);
  for (let refused = 1; refused < 20 && first.keeper === null; refused += 2) {
    first.now = 0;
    offer(second);
    second.now = 0;
    offer(first);
  }
  push(2, 1);
  queue.wake(first);
  assert.deepEqual(numbers(), [], "the first place is kept for 1");
  offer(second);
  assert.deepEqual(numbers(), [1]);
  offer(first);
  first.now = second.now = 1;
  sent[0]?.finish();
  push(1, 1);
  assert.deepEqual(numbers(), [1, 2, 1], "that time it did not wait");

  for (const no of [1, 2]) push(no, 1);
  offer(first);
  assert.deepEqual(numbers(), [1, 2, 1, 2], "2 has the permit that 1 could not use");
});

test("gates that ask in another order than the list of reasons are refused", (t) => {
  const gateFor = (reason: WaitReason): Gate => ({ reasons: [reason], wait: () => null });
  const gates = [gateFor("slow-start"), gateFor("dry-run")];
  assert.throws(() => queueBench(t, { gates }), /slow-start, dry-run\. WAIT_REASONS has .*dry-run/);
});

test("who waits until a time goes then by himself", async (t) => {
  const { gate, state } = fakeGate();
  const bench = queueBench(t, { gates: [gate] });
  state.place.time = bench.clock.now() + 500;
  bench.push(1, 1);
  await bench.clock.advance(499);
  assert.equal(bench.sent.length, 0);
  state.place.now = 1;
  await bench.clock.advance(10);
  assert.equal(bench.sent.length, 1);
});

test("who would wait for long is given back, and passed over until then", (t) => {
  const { gate, state } = fakeGate();
  const given: number[] = [];
  const bench = queueBench(t, {
    gates: [gate],
    giveBack: ({ delivery }) => given.push(delivery.webhookNo),
  });
  state.place.time = bench.clock.now() + 600_000;
  for (const no of [1, 1, 2, 10]) bench.push(no, 1);
  assert.deepEqual(given, [1, 1, 2]);
  assert.deepEqual([bench.queue.size, bench.sent.length], [0, 1]);
  assert.deepEqual(bench.queue.full, [1, 2]);
});

test("who waits for a short time that becomes a long one is given back too", async (t) => {
  const { gate, state } = fakeGate();
  const given: number[] = [];
  const bench = queueBench(t, {
    gates: [gate],
    giveBack: ({ delivery }) => given.push(delivery.webhookNo),
  });
  state.place.time = bench.clock.now() + 20;
  for (const no of [1, 2]) bench.push(no, 1);
  state.place.time = bench.clock.now() + 600_000;
  await bench.clock.advance(50);
  assert.deepEqual(given, [1, 2]);
});

test("what waits before gates takes a part of the memory only", (t) => {
  const { gate } = fakeGate();
  const given: number[] = [];
  const bench = queueBench(t, {
    gates: [gate],
    queueBytes: 10_000,
    giveBack: ({ delivery }) => given.push(delivery.webhookNo),
  });
  for (let no = 1; no <= 9; no += 1) bench.push(no, 1);
  assert.ok(given.length > 0 && given.length < 9, `${given.length} given back`);
  assert.deepEqual(bench.queue.full, given);
});
