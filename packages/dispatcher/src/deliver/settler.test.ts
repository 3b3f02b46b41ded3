import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { Settlement, SettleOutcome } from "@markethook/store";
import { type Outcome, Settler } from "./settler.ts";
import { fakeClock, turn } from "../wiring/testing/fake-clock.ts";
import { createRecorder } from "../wiring/testing/recorder.ts";

const RULE = { afterMs: 1, attempts: 1, events: 1, probeAfterMs: 1, acceptedWithinMs: 1 };

const STORED: SettleOutcome = { refused: [], changedWebhooks: [], failed: [] };

function setUp(t: TestContext, { singleWriter = true } = {}) {
  const clock = fakeClock(t);
  const seen = createRecorder();
  const writes: { instanceNo: number; seqs: number[] }[] = [];
  const threw: number[] = [];
  const told: { seqs: number[]; refused: number[] }[] = [];
  const fake = {
    instanceNo: 1,
    settle: async (_seqs: readonly number[]): Promise<SettleOutcome> => STORED,
    settled: (): void => undefined,
  };
  const settler = new Settler({
    deliveries: {
      settle(instanceNo, settlements) {
        writes.push({ instanceNo, seqs: settlements.map(({ seq }) => seq) });
        return fake.settle(settlements.map(({ seq }) => seq));
      },
    },
    rule: RULE,
    parallel: 1,
    singleWriter,
    now: clock.now,
    isCurrent: (instanceNo) => instanceNo === fake.instanceNo,
    threw: (instanceNo) => threw.push(instanceNo),
    observer: seen,
    settled(outcomes, refused) {
      told.push({
        seqs: outcomes.map(({ settlement }) => settlement.seq),
        refused: [...refused],
      });
      fake.settled();
    },
  });
  return { settler, clock, seen, writes, told, fake, threw };
}

function outcome(seq: number, instanceNo = 1): Outcome {
  const settlement: Settlement = {
    seq,
    lease: 1,
    webhookNo: 1,
    eventSeq: 1,
    eventName: "product.user.purchase",
    attempt: null,
    next: { kind: "end", state: "delivered", reason: null },
  };
  return { instanceNo, settlement, orderKey: null };
}

test("results that come together are stored together, those of each instance under it", async (t) => {
  const { settler, writes, told } = setUp(t);
  for (const one of [outcome(1), outcome(2), outcome(3, 9), outcome(4)]) settler.settle(one);
  assert.equal(settler.pending, 4);
  await settler.idle();
  assert.deepEqual(writes, [
    { instanceNo: 1, seqs: [1, 2, 4] },
    { instanceNo: 9, seqs: [3] },
  ]);
  assert.equal(told.length, 2);
  assert.equal(settler.pending, 0);
});

test("at most 500 go in one batch", async (t) => {
  const { settler, writes } = setUp(t);
  for (let seq = 1; seq <= 1200; seq += 1) settler.settle(outcome(seq));
  await settler.idle();
  assert.deepEqual(
    writes.map(({ seqs }) => seqs.length),
    [500, 500, 200],
  );
});

test("where every commit has its price, many wait 50 ms for more, and few for none", async (t) => {
  const { settler, clock, writes } = setUp(t, { singleWriter: false });
  const sizes = () => writes.map(({ seqs }) => seqs.length);
  for (let seq = 1; seq <= 63; seq += 1) settler.settle(outcome(seq));
  await settler.idle();
  for (let seq = 64; seq <= 127; seq += 1) settler.settle(outcome(seq));
  await settler.idle();
  assert.deepEqual(sizes(), [63, 64], "after few at once");
  settler.settle(outcome(128));
  await clock.advance(40);
  settler.settle(outcome(129));
  assert.deepEqual(sizes(), [63, 64], "more may come");
  await clock.advance(10);
  assert.deepEqual(sizes(), [63, 64, 2]);
});

test("a database that fails is tried until it takes them, as long as the instance lasts", async (t) => {
  const { settler, clock, fake, writes, told, seen } = setUp(t);
  fake.settle = () => Promise.reject(new Error("no database"));
  settler.settle(outcome(1));
  await clock.advance(60_000);
  assert.ok(writes.length > 30 && writes.length < 45, `${writes.length} tries`);
  assert.equal(settler.pending, 1);
  assert.deepEqual(told, []);
  fake.settle = async () => STORED;
  await clock.advance(2000);
  await settler.idle();
  assert.deepEqual(told, [{ seqs: [1], refused: [] }]);
  assert.equal(seen.of("fault").length, writes.length - 1);
});

test("with the instance the results are given up: their leases are not ours any more", async (t) => {
  const { settler, clock, fake, told } = setUp(t);
  fake.settle = () => Promise.reject(new Error("no database"));
  settler.settle(outcome(1));
  settler.settle(outcome(2));
  await clock.advance(5000);
  fake.instanceNo = 2;
  await clock.advance(2000);
  await settler.idle();
  assert.deepEqual(told, [{ seqs: [1, 2], refused: [1, 2] }]);
});

test("what the store refuses is told", async (t) => {
  const { settler, fake, told, seen } = setUp(t);
  fake.settle = async () => ({ ...STORED, refused: [2] });
  settler.settle(outcome(1));
  settler.settle(outcome(2));
  await settler.idle();
  assert.deepEqual(told, [{ seqs: [1, 2], refused: [2] }]);
  assert.deepEqual(
    seen.of("settled").map(({ deliveries, refused }) => ({ deliveries, refused })),
    [{ deliveries: 2, refused: 1 }],
  );
});

test("a fault of anyone who is told ends in the log, not the process", async (t) => {
  const { settler, fake, seen } = setUp(t);
  fake.settled = () => {
    throw new Error("a mistake");
  };
  settler.settle(outcome(1));
  await settler.idle();
  await turn();
  assert.deepEqual(seen.of("fault"), ["settled"]);
});

test("one that cannot be stored is tried again alone, ever later, and keeps nobody waiting", async (t) => {
  const { settler, clock, seen, writes, told, fake } = setUp(t);
  fake.settle = async (seqs) => ({
    ...STORED,
    failed: seqs.includes(2) ? [{ seq: 2, why: "duplicate key" }] : [],
  });
  for (const seq of [1, 2, 3]) settler.settle(outcome(seq));
  await turn();
  assert.deepEqual(told, [{ seqs: [1, 3], refused: [] }]);
  assert.equal(settler.pending, 1);
  settler.settle(outcome(4));
  await turn();
  assert.deepEqual(told.at(-1), { seqs: [4], refused: [] });
  for (const ms of [2000, 4000, 8000]) await clock.advance(ms);
  assert.deepEqual(
    writes.slice(2).map(({ seqs }) => seqs),
    [[2], [2], [2]],
  );
  assert.equal(seen.of("fault").length, 4);
  fake.settle = async () => STORED;
  await clock.advance(16_000);
  await settler.idle();
  assert.deepEqual(told.at(-1), { seqs: [2], refused: [] });
});

test("one that cannot be stored is given up with its instance", async (t) => {
  const { settler, clock, told, fake } = setUp(t);
  fake.settle = async () => ({ ...STORED, failed: [{ seq: 1, why: "duplicate key" }] });
  settler.settle(outcome(1));
  await turn();
  fake.instanceNo = 2;
  await clock.advance(2000);
  await settler.idle();
  assert.deepEqual(told, [{ seqs: [1], refused: [1] }]);
});

test("thousands that cannot be stored do not count as waiting, so others are sent; 2,000 of them are tried again", async (t) => {
  const { settler, clock, writes, fake } = setUp(t);
  fake.settle = async (seqs) => ({
    ...STORED,
    failed: seqs.map((seq) => ({ seq, why: "duplicate key" })),
  });
  for (let seq = 1; seq <= 2500; seq += 1) settler.settle(outcome(seq));
  while (settler.waiting > 0) await turn();
  assert.equal(settler.pending, 2000);
  const before = writes.length;
  fake.settle = async () => STORED;
  await clock.advance(2000);
  await settler.idle();
  assert.equal(writes.length - before, 2000);
});
