import assert from "node:assert/strict";
import { test } from "node:test";
import { OutageWatch } from "./outage-watch.ts";

const FAILED = { category: "timeout", sent: false } as const;
const OK = { category: null, sent: true } as const;

function watch() {
  const clock = { now: 0 };
  const told: boolean[] = [];
  const outage = new OutageWatch(
    () => clock.now,
    (suspected) => told.push(suspected),
  );
  const note = (no: number, result: typeof FAILED | typeof OK, host = `h${no}`): boolean =>
    outage.note({ no }, host, result);
  return { clock, told, outage, note };
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
