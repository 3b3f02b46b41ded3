import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { isMarkethookError } from "@markethook/protocol";
import type { InstanceStore } from "@markethook/store";
import { Heartbeat } from "./heartbeat.ts";
import { fakeClock, turn } from "../wiring/testing/fake-clock.ts";
import { createRecorder } from "../wiring/testing/recorder.ts";

const LEASE = 8000;

/** A store whose heartbeats succeed unless the test says otherwise. */
function setUp(t: TestContext) {
  const clock = fakeClock(t);
  const seen = createRecorder();
  let instanceNos = 0;
  const ended: number[] = [];
  const fake = {
    renewals: 0,
    networkSuspected: false,
    renewedWith: [] as boolean[],
    renew: async (_instanceNo: number): Promise<boolean> => true,
    start: async (): ReturnType<InstanceStore["start"]> => ({
      instanceNo: (instanceNos += 1),
      givenBack: null,
    }),
    survived: [] as (number | null | undefined)[],
  };
  const instances: InstanceStore = {
    start(_name, _version, survived) {
      fake.survived.push(survived);
      return fake.start();
    },
    renew(instanceNo, networkSuspected) {
      fake.renewals += 1;
      fake.renewedWith.push(networkSuspected);
      return fake.renew(instanceNo);
    },
    async end(instanceNo) {
      ended.push(instanceNo);
      return 3;
    },
    list: async () => [],
  };
  const lost: number[] = [];
  const started: number[] = [];
  let confirmed = 0;
  /** What other threads are told: until when which instance may write, on the fake clock; null: nobody. */
  let told: { instanceNo: number; until: number } | null = null;
  const heartbeat = new Heartbeat({
    instances,
    name: "one",
    version: "1",
    leaseMs: LEASE,
    now: clock.now,
    wallNow: clock.wallNow,
    observer: seen,
    onLost: (of) => lost.push(of),
    right: {
      moment: () => ({ monotonic: BigInt(clock.now()), clockGap: 0n }),
      grant: (of, { monotonic }, forMs) =>
        (told = { instanceNo: of, until: Number(monotonic) + forMs }),
      withdraw: () => (told = null),
    },
    onStarted: (of) => started.push(of),
    networkSuspected: () => fake.networkSuspected,
    onConfirmed: () => (confirmed += 1),
  });
  return {
    heartbeat,
    clock,
    seen,
    fake,
    ended,
    lost,
    started,
    confirmed: () => confirmed,
    told: () => told,
  };
}

test("threads are told of the right to write with each heartbeat, and at once when it is lost", async (t) => {
  const { heartbeat, clock, fake, told } = setUp(t);
  await heartbeat.start();
  const until = clock.now() + (LEASE * 3) / 4;
  assert.deepEqual(told(), { instanceNo: 1, until });
  await clock.advance(LEASE / 4);
  await turn();
  assert.deepEqual(told(), { instanceNo: 1, until: until + LEASE / 4 });
  fake.renew = async () => false;
  fake.start = async () => await Promise.reject(new Error("no database"));
  await clock.advance(LEASE / 4);
  await turn();
  assert.equal(told(), null);
});

test("a heartbeat goes out every quarter of a lease and the right to write goes on", async (t) => {
  const { heartbeat, clock, fake, confirmed } = setUp(t);
  assert.equal(heartbeat.current(), null);
  await heartbeat.start();
  assert.equal(heartbeat.current(), 1);
  for (let i = 0; i < 20; i += 1) {
    await clock.advance(LEASE / 4);
    assert.equal(heartbeat.mayWrite(1), true);
  }
  assert.equal(fake.renewals, 20);
  assert.equal(confirmed(), 20);
  assert.equal(heartbeat.mayWrite(2), false);
  await heartbeat.stop();
});

test("the right to write ends three quarters of a lease after the last confirmed heartbeat was sent", async (t) => {
  const { heartbeat, clock, fake } = setUp(t);
  await heartbeat.start();
  let answer: (renewed: boolean) => void = () => undefined;
  fake.renew = () => new Promise((resolve) => (answer = resolve));
  await clock.advance(2000);
  // Sent now, answered a second later: it counts from now.
  await clock.advance(1000);
  fake.renew = () => Promise.reject(new Error("no database"));
  answer(true);
  await clock.advance(4990);
  assert.equal(heartbeat.mayWrite(1), true);
  await clock.advance(10);
  assert.equal(heartbeat.mayWrite(1), false);
  assert.equal(heartbeat.current(), 1);
  await heartbeat.stop();
});

test("a process that was stopped and wakes up finds its right gone before any timer fires", async (t) => {
  const { heartbeat, clock } = setUp(t);
  await heartbeat.start();
  await clock.advance(2000);
  clock.freeze(6000);
  assert.equal(heartbeat.mayWrite(1), false);
  await heartbeat.stop();
});

test("after failed heartbeats the right comes back with the first that succeeds", async (t) => {
  const { heartbeat, clock, fake, seen, lost } = setUp(t);
  await heartbeat.start();
  fake.renew = () => Promise.reject(new Error("no database"));
  await clock.advance(6000);
  assert.equal(heartbeat.mayWrite(1), false);
  fake.renew = async () => true;
  await clock.advance(2000);
  assert.equal(heartbeat.mayWrite(1), true);
  assert.deepEqual(seen.of("fault"), ["heartbeat", "heartbeat", "heartbeat"]);
  assert.deepEqual(lost, []);
  await heartbeat.stop();
});

test("a heartbeat that is never answered does not stop the next ones, and is a fault of the database", async (t) => {
  const { heartbeat, clock, fake, seen } = setUp(t);
  const fault = t.mock.method(seen, "fault");
  await heartbeat.start();
  fake.renew = () => new Promise(() => {});
  await clock.advance(2000 + LEASE);
  assert.equal(heartbeat.mayWrite(1), false);
  const [, error] = fault.mock.calls[0]?.arguments ?? [];
  assert.ok(isMarkethookError(error, "outcome_unknown"));
  assert.match(String(error.detail.detail), /not answered within 8 s/);
  fake.renew = async () => true;
  await clock.advance(2000);
  assert.equal(heartbeat.mayWrite(1), true);
  await heartbeat.stop();
});

test("a heartbeat that changes no row loses the instance, drops what it held and begins another", async (t) => {
  const { heartbeat, clock, fake, seen, lost, started } = setUp(t);
  await heartbeat.start();
  fake.renew = async () => false;
  await clock.advance(2000);
  assert.deepEqual(lost, [1]);
  assert.deepEqual(started, [1, 2]);
  assert.equal(heartbeat.current(), 2);
  assert.equal(heartbeat.mayWrite(1), false);
  assert.equal(heartbeat.mayWrite(2), true);
  assert.deepEqual(seen.of("instanceLost"), [1]);
  await heartbeat.stop();
});

test("an instance that cannot begin again is tried with every beat", async (t) => {
  const { heartbeat, clock, fake } = setUp(t);
  await heartbeat.start();
  const { start } = fake;
  fake.renew = async () => false;
  fake.start = () => Promise.reject(new Error("no database"));
  await clock.advance(4000);
  assert.equal(heartbeat.current(), null);
  fake.start = start;
  await clock.advance(2000);
  assert.equal(heartbeat.current(), 2);
  await heartbeat.stop();
});

test("a sleep that is not noticed ends before others may judge the instance dead", async (t) => {
  const { heartbeat, clock } = setUp(t);
  await heartbeat.start();
  // The monotonic clock stood still, so that the right seems to last for three quarters of a lease more.
  clock.setWall(clock.wallNow() + LEASE / 4 + 100);
  assert.equal(heartbeat.mayWrite(1), false);
  await heartbeat.stop();
});

test("clocks that jump apart lose the instance, in both directions; a small correction does not", async (t) => {
  const { heartbeat, clock, lost } = setUp(t);
  await heartbeat.start();
  clock.setWall(clock.wallNow() + 1900);
  await clock.advance(2000);
  assert.deepEqual(lost, []);
  clock.setWall(clock.wallNow() + 86_400_000);
  await clock.advance(2000);
  assert.deepEqual(lost, [1]);
  clock.setWall(clock.wallNow() - 86_400_000);
  await clock.advance(2000);
  assert.deepEqual(lost, [1, 2]);
  assert.equal(heartbeat.mayWrite(3), true);
  await heartbeat.stop();
});

test("a machine that slept may not write when it wakes, before its next heartbeat tells", async (t) => {
  const { heartbeat, clock, lost, fake } = setUp(t);
  await heartbeat.start();
  assert.equal(heartbeat.mayWrite(1), true);
  // Its monotonic clock stood still.
  clock.setWall(clock.wallNow() + 60_000);
  assert.equal(heartbeat.mayWrite(1), false);
  await clock.advance(2000);
  assert.deepEqual(lost, [1]);
  assert.equal(heartbeat.mayWrite(2), true);
  assert.deepEqual(fake.survived, [null, 1], "what it held crashed nothing");
  await heartbeat.stop();
});

test("each heartbeat says whether the instance suspects its network", async (t) => {
  const { heartbeat, clock, fake } = setUp(t);
  await heartbeat.start();
  await clock.advance(2000);
  fake.networkSuspected = true;
  await clock.advance(2000);
  assert.deepEqual(fake.renewedWith, [false, true]);
  await heartbeat.stop();
});

test("stopping gives back what is held and beats no more", async (t) => {
  const { heartbeat, clock, fake, ended } = setUp(t);
  await heartbeat.start();
  assert.equal(await heartbeat.stop(), 3);
  assert.deepEqual(ended, [1]);
  assert.equal(heartbeat.current(), null);
  assert.equal(heartbeat.mayWrite(1), false);
  await clock.advance(LEASE);
  assert.equal(fake.renewals, 0);
});

test("stopping waits for the heartbeat under way, so that none comes after the end", async (t) => {
  const { heartbeat, clock, fake, ended } = setUp(t);
  await heartbeat.start();
  let answer: (renewed: boolean) => void = () => undefined;
  fake.renew = () => new Promise((resolve) => (answer = resolve));
  await clock.advance(2000);
  const stopped = heartbeat.stop();
  await turn();
  assert.deepEqual(ended, []);
  answer(true);
  await stopped;
  assert.deepEqual(ended, [1]);
});
