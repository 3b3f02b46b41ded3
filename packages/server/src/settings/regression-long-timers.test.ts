import assert from "node:assert/strict";
import { test } from "node:test";
import { SETTINGS } from "./config-schema.ts";
import { inspectConfig } from "./config.ts";

/** Node's timers end at once when they are longer. */
const MOST_OF_A_TIMER_MS = 2 ** 31 - 1;
const TIMERS = [
  "MARKETHOOK_STOP_DELAY",
  "MARKETHOOK_LEASE",
  "MARKETHOOK_ATTEMPT_TIMEOUT",
  "MARKETHOOK_CLIENT_IDLE_TIMEOUT",
  "MARKETHOOK_CLIENT_READ_TIMEOUT",
  "MARKETHOOK_CLIENT_CLOSE_GRACE",
  "MARKETHOOK_RECEIVER_IDLE_TIMEOUT",
];

test("a time that becomes a timer has an upper bound, and the refusal says it", () => {
  for (const name of TIMERS) {
    for (const long of ["25d", `${MOST_OF_A_TIMER_MS + 1}ms`]) {
      assert.deepEqual(inspectConfig({ [name]: long }).faults, [
        { name, sentence: `"${long}" is longer than 1d.` },
      ]);
    }
    assert.deepEqual(inspectConfig({ [name]: "1d" }).faults, []);
  }
});

test("times that are only compared with stored ones may be longer", () => {
  for (const name of ["RETENTION", "IDEMPOTENCY_RETENTION", "DISABLE_AFTER", "PROBE_EVERY"]) {
    assert.deepEqual(inspectConfig({ [`MARKETHOOK_${name}`]: "365d" }).faults, []);
  }
});

test("both bounds of durations and numbers are documented", () => {
  const kinds = new Map(Object.values(SETTINGS).map(({ name, read }) => [name, read.kind]));
  assert.equal(kinds.get("MARKETHOOK_LEASE"), "duration, 400ms to 1d");
  assert.equal(kinds.get("MARKETHOOK_RETENTION"), "duration, 1m to 365d");
  assert.equal(kinds.get("MARKETHOOK_CONCURRENCY"), "number, 1 to 1000");
  for (const [name, kind] of kinds)
    assert.doesNotMatch(kind, /^(duration|number|MiB|port|threads)$/, name);
});
