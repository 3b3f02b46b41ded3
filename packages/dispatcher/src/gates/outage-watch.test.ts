import assert from "node:assert/strict";
import { test } from "node:test";
import { OutageWatch } from "./outage-watch.ts";

const FAILED = { category: "timeout", sent: false } as const;
const OK = { category: null, sent: true } as const;

function watch() {
  const clock = { now: 0 };
  const told: boolean[] = [];
  const aside: boolean[] = [];
  const outage = new OutageWatch({
    now: () => clock.now,
    changed: (suspected) => told.push(suspected),
    steppedAside: (isAside) => aside.push(isAside),
  });
  const note = (no: number, result: typeof FAILED | typeof OK, host = `h${no}`): boolean =>
    outage.note({ no }, host, result);
  return { clock, told, aside, outage, note };
}

test("N2: when most webhooks cannot be connected to at once, it is held to be our own fault, until they can again", () => {
  const { note, told } = watch();
  for (let no = 0; no < 20; no += 1) note(no, OK);
  const ours = Array.from({ length: 20 }, (_, no) => note(no, FAILED));
  assert.deepEqual([ours.indexOf(true), ours.at(-1)], [10, true]);
  assert.deepEqual(told, [true]);
  for (let no = 0; no < 20; no += 1) note(no, OK);
  assert.deepEqual(told, [true, false]);
  assert.equal(note(3, FAILED), false);
});

test("few webhooks, one host, and answers that are only bad say nothing about our network", () => {
  const few = watch();
  for (let no = 0; no < 9; no += 1) assert.equal(few.note(no, FAILED), false);
  const oneHost = watch();
  for (let no = 0; no < 50; no += 1) assert.equal(oneHost.note(no, FAILED, "h"), false);
  const answered = watch();
  for (let no = 0; no < 50; no += 1) {
    answered.outage.note({ no }, `h${no}`, { category: "connection_reset", sent: true });
  }
  assert.deepEqual([few.told, oneHost.told, answered.told], [[], [], []]);
});

test("receivers that were away before are no news", () => {
  const { outage, told } = watch();
  const recovery = { failingMs: 3_600_000, resumedMs: null, awayMs: 0 };
  for (let no = 0; no < 50; no += 1) outage.note({ no, recovery }, `h${no}`, FAILED);
  assert.deepEqual(told, []);
});

test("what is older than two minutes is forgotten", () => {
  const { clock, note, told } = watch();
  for (let no = 0; no < 30; no += 1) note(no, FAILED);
  clock.now += 121_000;
  note(100, OK);
  assert.deepEqual(told, [true, false]);
});

test("a suspicion ends when the failures are forgotten, although the only one that is sent to answered all along", () => {
  const { clock, note, told } = watch();
  for (let no = 0; no < 30; no += 1) note(no, FAILED);
  clock.now += 61_000;
  note(100, OK);
  assert.deepEqual(told, [true]);
  clock.now += 61_000;
  note(100, OK);
  assert.deepEqual(told, [true, false]);
});

test("a suspicion lasts while the few that are sent to minutes later fail too, and ends with the first that does not", () => {
  const { clock, outage, note, told } = watch();
  for (let no = 0; no < 30; no += 1) note(no, FAILED);
  clock.now += 300_000;
  const recovery = { failingMs: 300_000, resumedMs: null, awayMs: 0 };
  const ours = [1, 2, 3].map((no) => outage.note({ no, recovery }, `h${no}`, FAILED));
  assert.deepEqual(ours, [true, true, true]);
  assert.deepEqual(told, [true]);
  note(4, OK);
  assert.deepEqual(told, [true, false]);
});

test("an attempt that was blocked, or not made for a reason of ours, says nothing about our network", () => {
  const { outage, note, told, clock } = watch();
  for (let no = 0; no < 30; no += 1) note(no, FAILED);
  clock.now += 300_000;
  for (const category of ["blocked", "lease_lost", "socket_limit"] as const)
    assert.equal(outage.note({ no: 40 }, "h40", { category, sent: false }), false);
  assert.deepEqual(told, [true]);
});

test("requests that were written before the network went down, and end when their time is over, end no suspicion", () => {
  const { outage, note, told, clock } = watch();
  for (let no = 0; no < 30; no += 1) note(no, FAILED);
  for (let no = 0; no < 30; no += 1)
    outage.note({ no }, `h${no}`, { category: "timeout", sent: true });
  assert.deepEqual(told, [true]);
  clock.now += 121_000;
  outage.note({ no: 1 }, "h1", { category: "timeout", sent: true });
  assert.deepEqual(told, [true, false], "when nothing else is known");
});

const OWN = { instanceNo: 1, networkSuspected: true };

/** Suspects its network, and another instance does not. */
function aside() {
  const set = watch();
  for (let no = 0; no < 20; no += 1) set.note(no, FAILED);
  set.outage.noteInstances([OWN, { instanceNo: 2, networkSuspected: false }], 1);
  return set;
}

test("an instance that alone suspects its network stands aside, until most of what is tried can be connected to", () => {
  const { note, told, aside: stepped } = aside();
  assert.deepEqual(stepped, [true]);
  // Some receivers may be in the operator's own network.
  for (const result of [OK, FAILED, FAILED, OK]) note(30, result);
  for (const no of [31, 32, 33]) note(no, FAILED);
  assert.deepEqual(stepped, [true]);
  for (const no of [34, 35]) note(no, OK);
  assert.deepEqual(stepped, [true], "half of them is not most of them");
  note(36, OK);
  assert.deepEqual(
    [stepped, told],
    [
      [true, false],
      [true, false],
    ],
  );
});

test("where all instances suspect their networks, or there is no other, none stands aside", () => {
  const { outage, aside: stepped, told } = aside();
  outage.noteInstances([OWN, { instanceNo: 2, networkSuspected: true }], 1);
  assert.deepEqual([stepped, told], [[true, false], [true]]);
  outage.noteInstances([OWN, { instanceNo: 3, networkSuspected: false }], 1);
  assert.deepEqual(stepped, [true, false, true]);
  outage.noteInstances([OWN], 1);
  assert.deepEqual([stepped, told], [[true, false, true, false], [true]]);
});

test("an instance that stands aside takes part again after a minute, where all that it tried is one webhook, or failed before", () => {
  const both = [OWN, { instanceNo: 2, networkSuspected: false }];
  const failing = { resumedMs: null, awayMs: 0, failingMs: 180_000 };
  for (const tried of ["one webhook", "those that failed before"]) {
    const { note, outage, clock, aside: stepped } = aside();
    for (let ms = 0; ms < 60_000; ms += 5000) {
      clock.now += 5000;
      outage.noteInstances(both, 1);
      if (tried === "one webhook") note(30, OK);
      else assert.equal(outage.note({ no: 30 + ms, recovery: failing }, `h${ms}`, FAILED), true);
    }
    clock.now += 1;
    outage.noteInstances(both, 1);
    assert.deepEqual(stepped, [true, false], tried);
  }
});

test("an instance that has had nothing to try for a minute takes part again", () => {
  const { outage, clock, aside: stepped, told } = aside();
  const both = [OWN, { instanceNo: 2, networkSuspected: false }];
  clock.now += 60_000;
  outage.noteInstances(both, 1);
  assert.deepEqual(stepped, [true]);
  clock.now += 1;
  outage.noteInstances(both, 1);
  assert.deepEqual(
    [stepped, told],
    [
      [true, false],
      [true, false],
    ],
  );
});
