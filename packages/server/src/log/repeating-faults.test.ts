import assert from "node:assert/strict";
import { test } from "node:test";
import { createRepeatingFaults, type RepeatingFault } from "./repeating-faults.ts";

function setUp() {
  const clock = { now: 0 };
  const alarms: RepeatingFault[] = [];
  const faults = createRepeatingFaults({
    now: () => clock.now,
    alarm: (fault) => void alarms.push(fault),
  });
  return { clock, alarms, faults, tell: faults.observer.fault };
}

test("the same fault for a minute is told once a minute, whatever numbers are in it", () => {
  const { clock, alarms, faults, tell } = setUp();
  for (; clock.now <= 180_000; clock.now += 2000) {
    tell("settle", new Error(`duplicate key (delivery ${clock.now})`));
  }
  assert.deepEqual(
    alarms.map(({ where, forMs, times }) => [where, forMs, times]),
    [
      ["settle", 60_000, 31],
      ["settle", 120_000, 61],
      ["settle", 180_000, 91],
    ],
  );
  assert.deepEqual(
    faults.list().map(({ where }) => where),
    ["settle"],
  );
});

test("faults of different kinds, and one that has stopped, are no alarm", () => {
  const { clock, alarms, faults, tell } = setUp();
  for (; clock.now < 59_000; clock.now += 1000) tell("claim", new Error("connection lost"));
  clock.now += 100_000;
  assert.deepEqual(faults.list(), []);
  tell("claim", new Error("connection lost"));
  tell("claim", new Error("table locked"));
  tell("settle", new Error("connection lost"));
  assert.deepEqual([alarms, faults.list()], [[], []]);
});

test("two faults, a minute apart, are no alarm; work that is done once a minute is one at its third", () => {
  const { clock, alarms, faults, tell } = setUp();
  for (const expected of [0, 0, 1]) {
    tell("claim", new Error("no answer in time"));
    assert.equal(alarms.length, expected);
    assert.equal(faults.list().length, expected);
    clock.now += 62_000;
  }
});

test("a short fault is no alarm, also while it may not be over yet", () => {
  const { clock, faults, tell } = setUp();
  for (; clock.now < 3000; clock.now += 500) tell("settle", new Error("disk full"));
  for (; clock.now < 90_000; clock.now += 10_000) assert.deepEqual(faults.list(), []);
});

test("two short outages a minute apart are no alarm: the work was done in between", () => {
  const { clock, alarms, faults, tell } = setUp();
  for (const _ of [1, 2, 3]) {
    for (const end = clock.now + 8000; clock.now < end; clock.now += 100)
      tell("accept", new Error("no answer"));
    clock.now += 60_000;
  }
  assert.deepEqual([alarms, faults.list()], [[], []]);
});

test("a fault that comes more seldom as it goes on, up to once a minute, is still the same", () => {
  const { clock, alarms, faults, tell } = setUp();
  for (const pauseMs of [2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]) {
    tell("settle one delivery", new Error("refused"));
    clock.now += pauseMs;
  }
  tell("settle one delivery", new Error("refused"));
  assert.equal(alarms.at(-1)?.times, 8);
  assert.equal(faults.list()[0]?.forMs, 182_000);
});

test("what goes on is over a while after its last repetition", () => {
  const { clock, faults, tell } = setUp();
  for (; clock.now < 120_000; clock.now += 1000) tell("heartbeat", "no answer");
  assert.equal(faults.list().length, 1);
  clock.now += 91_000;
  assert.deepEqual(faults.list(), []);
});

test("a fault that came every second is the same one after a pause of ten seconds, and a new one after sixteen", () => {
  for (const [pauseMs, alarmed] of [
    [10_000, 1],
    [16_000, 0],
  ] as const) {
    const { clock, alarms, tell } = setUp();
    for (const _ of [1, 2]) {
      for (const end = clock.now + 40_000; clock.now < end; clock.now += 1000)
        tell("claim", new Error("no answer"));
      clock.now += pauseMs - 1000;
    }
    assert.equal(alarms.length, alarmed, `${pauseMs} ms`);
  }
});

test("the longest pause of a fault counts, not its last one, and none takes more than 90 seconds to be over", () => {
  const { clock, faults, tell } = setUp();
  for (const pauseMs of [60_000, 2000, 50_000, 90_000]) {
    tell("settle", new Error("refused"));
    clock.now += pauseMs;
  }
  assert.equal(faults.list()[0]?.times, 4);
  clock.now += 1;
  assert.deepEqual(faults.list(), []);
});

test("of more than two hundred faults at once no more are followed, until others are over", () => {
  const { clock, faults, tell } = setUp();
  const place = (index: number): string => `place ${String.fromCodePoint(0x4e00 + index)}`;
  for (let index = 0; index < 200; index += 1) tell(place(index), new Error("no"));
  const repeat = (): void => {
    for (const _ of [1, 2, 3]) {
      tell("one more", new Error("no"));
      clock.now += 30_000;
    }
  };
  repeat();
  assert.deepEqual(faults.list(), []);
  clock.now += 1;
  repeat();
  assert.deepEqual(
    faults.list().map(({ where }) => where),
    ["one more"],
  );
});
