import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { type Instance, NOTHING_RESCUED, type RescueOutcome } from "@markethook/store";
import { DEFAULT_SETTINGS } from "../wiring/settings.ts";
import { fakeClock, turn } from "../wiring/testing/fake-clock.ts";
import { createRecorder } from "../wiring/testing/recorder.ts";
import { sampleDelivery } from "../wiring/testing/samples.ts";
import { createPeriodicWork } from "./periodic-work.ts";

const LEASE = 8000;

function setUp(t: TestContext) {
  const clock = fakeClock(t);
  const seen = createRecorder();
  const calls: string[] = [];
  const taken: (number[] | null)[] = [];
  const fake = {
    instanceNo: 1 as number | null,
    instances: [] as Instance[],
    rescue: async (): Promise<RescueOutcome> => NOTHING_RESCUED,
    /** Those that have not ended. */
    probing: 0,
    probes: async () => [] as ReturnType<typeof sampleDelivery>[],
    cancel: async () => 0,
    prune: async () => 0,
    rescued: 0,
    setBack: { moved: 0, byMs: 0 },
  };
  const periodicWork = createPeriodicWork({
    store: {
      deliveries: {
        rescue(silent) {
          calls.push(`rescue ${silent.map(({ instanceNo }) => instanceNo).join(" ")}`);
          return fake.rescue();
        },
        claimProbes(instanceNo, limit, everyMs) {
          calls.push(`probe ${instanceNo} ${limit} ${everyMs}`);
          return fake.probes();
        },
        cancelMarked(limit) {
          calls.push(`cancel ${limit}`);
          return fake.cancel();
        },
        pullForward: async () => 0,
      },
      maintenance: {
        prune(retentionMs, idempotencyMs, limit) {
          calls.push(`prune ${retentionMs} ${idempotencyMs} ${limit}`);
          return fake.prune();
        },
        tellGivenUp: async () => 0,
        followClock: async () => fake.setBack,
      },
      instances: { list: async () => fake.instances },
    },
    settings: {
      ...DEFAULT_SETTINGS,
      leaseMs: LEASE,
      probeEveryMs: 3_600_000,
      retentionMs: 30,
      idempotencyMs: 3,
    },
    heartbeat: { current: () => fake.instanceNo },
    leases: {
      get probes() {
        return fake.probing;
      },
      take: () => fake.instanceNo,
      took: (_instanceNo, deliveries) => taken.push(deliveries?.map(({ seq }) => seq) ?? null),
    },
    now: clock.now,
    observer: seen,
    rescued: () => (fake.rescued += 1),
  });
  t.after(() => periodicWork.stop());
  const count = (word: string): number => calls.filter((call) => call.startsWith(word)).length;
  return { periodicWork, clock, seen, calls, taken, fake, count };
}

test("each kind of work has its own beat", async (t) => {
  const { periodicWork, clock, calls, count } = setUp(t);
  periodicWork.start();
  assert.deepEqual(calls, []);
  await clock.advance(60_000);
  assert.equal(count("rescue"), 60);
  assert.equal(count("probe 1 50 3600000"), 6);
  assert.equal(count("probe 1 76 3600000"), 60);
  assert.equal(count("cancel 2000"), 60);
  assert.equal(count("prune 30 3 2000"), 1);
});

test("others that are silent for a lease are ended, never the own instance, and nobody without one", async (t) => {
  const { periodicWork, clock, fake, calls, count } = setUp(t);
  const version = "1.0.0";
  fake.instances = [1, 2].map((instanceNo) => ({
    instanceNo,
    name: "shop",
    version,
    startedAt: 0,
    renewedAt: 0,
    networkSuspected: false,
  }));
  periodicWork.start();
  await clock.advance(LEASE);
  assert.deepEqual(
    new Set(calls.filter((call) => call.startsWith("rescue"))),
    new Set(["rescue "]),
  );
  await clock.advance(1500);
  assert.equal(count("rescue 2"), 1);
  fake.instanceNo = null;
  const before = count("rescue");
  await clock.advance(10_000);
  assert.equal(count("rescue"), before);
});

test("what was rescued is told and claimed at once; where there was nothing, nobody hears of it", async (t) => {
  const { periodicWork, clock, fake, seen } = setUp(t);
  periodicWork.start();
  await clock.advance(2000);
  assert.equal(fake.rescued, 0);
  const told = {
    instanceNos: [7],
    rescued: 12,
    suspects: [{ level: 1, count: 12 }],
    quarantined: 0,
  };
  fake.rescue = async () => told;
  await clock.advance(1000);
  assert.equal(fake.rescued, 1);
  assert.deepEqual(seen.of("rescued"), [told]);
});

test("probes are taken over, and a claim of them that failed is known to have", async (t) => {
  const { periodicWork, clock, fake, seen, taken } = setUp(t);
  fake.probing = 100;
  periodicWork.start();
  fake.probes = async () => [sampleDelivery({ seq: 5, probe: true })];
  await clock.advance(10_000);
  fake.probes = () => Promise.reject(new Error("no database"));
  await clock.advance(10_000);
  assert.deepEqual(taken, [[5], null]);
  assert.deepEqual(seen.of("fault"), ["probe"]);
});

test("as many probes begin as have ended, and some every ten seconds although all hang", async (t) => {
  const { periodicWork, clock, fake, calls, count } = setUp(t);
  periodicWork.start();
  fake.probing = 70;
  await clock.advance(1000);
  assert.deepEqual(
    calls.filter((call) => call.startsWith("probe")),
    ["probe 1 6 3600000"],
  );
  fake.probing = 500;
  await clock.advance(19_000);
  assert.equal(count("probe"), 3);
  assert.equal(count("probe 1 50 3600000"), 2);
});

test("cancelling and pruning go on in steps until nothing is left", async (t) => {
  const { periodicWork, clock, fake, count } = setUp(t);
  let left = 5;
  fake.cancel = async () => (left > 0 ? ((left -= 1), 2000) : 0);
  periodicWork.start();
  await clock.advance(1000);
  assert.equal(count("cancel"), 6);
});

test("work that takes longer than its beat is not begun twice, and a fault does not end it", async (t) => {
  const { periodicWork, clock, fake, count, seen } = setUp(t);
  let fail: (error: Error) => void = () => undefined;
  fake.cancel = () => new Promise((_, reject) => (fail = reject));
  periodicWork.start();
  await clock.advance(10_000);
  assert.equal(count("cancel"), 1);
  fail(new Error("no database"));
  await turn();
  assert.deepEqual(seen.of("fault"), ["cancel"]);
  await clock.advance(1000);
  assert.equal(count("cancel"), 2);
  fail(new Error("no database"));
});

test("stopping waits for what is under way, ends its steps and begins nothing more", async (t) => {
  const { periodicWork, clock, fake, count } = setUp(t);
  let answer: (count: number) => void = () => undefined;
  fake.cancel = () => new Promise((resolve) => (answer = resolve));
  periodicWork.start();
  await clock.advance(1000);
  let stopped = false;
  const stop = periodicWork.stop().then(() => (stopped = true));
  await turn();
  assert.equal(stopped, false);
  answer(2000);
  await stop;
  await clock.advance(100_000);
  assert.equal(count("cancel"), 1);
  assert.equal(count("prune"), 0);
});

test("a database's clock that was set back is told", async (t) => {
  const { periodicWork, clock, seen, fake } = setUp(t);
  periodicWork.start();
  await clock.advance(5000);
  assert.deepEqual(seen.of("fault"), []);
  fake.setBack = { moved: 12, byMs: 3_600_000 };
  await clock.advance(5000);
  assert.deepEqual(seen.of("fault"), ["follow the database's clock"]);
});
