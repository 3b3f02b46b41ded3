import assert from "node:assert/strict";
import { test } from "node:test";
import { instant } from "@markethook/protocol";
import * as fc from "fast-check";
import type { HealthSignal } from "../port/deliveries.ts";
import {
  applyHealth,
  HEALTHY,
  type HealthEvent,
  type HealthOutcome,
  type HealthRule,
  type HealthState,
} from "./webhook-health.ts";

const RULE = {
  afterMs: 1000,
  attempts: 4,
  events: 2,
  probeAfterMs: 1,
  acceptedWithinMs: 1,
  acceptsOthers: false,
};
const ACTIVE: HealthState = { state: "active", reason: null };

interface Step {
  at: number;
  signal: HealthSignal;
  eventSeq: number;
  kind: number;
}

const ok: HealthSignal = { kind: "ok" };
const failed: HealthSignal = { kind: "failed", badRequest: false };
const badRequest: HealthSignal = { kind: "failed", badRequest: true };

function step(at: number, signal: HealthSignal, eventSeq = 1, kind = 2): Step {
  return { at, signal, eventSeq, kind };
}

/** One settlement after the other; the notices of all. */
function run(steps: readonly Step[], state = ACTIVE, rule: HealthRule = RULE): HealthOutcome {
  let outcome: HealthOutcome = {
    health: HEALTHY,
    state,
    stateChanged: false,
    endedFailing: false,
    notices: [],
  };
  const notices: HealthOutcome["notices"] = [];
  for (const { at, ...event } of steps) {
    outcome = applyHealth(outcome.health, outcome.state, [event], rule, at);
    notices.push(...outcome.notices);
  }
  return { ...outcome, notices };
}

function kinds({ notices }: HealthOutcome): string[] {
  return notices.map(({ kind }) => kind);
}

test("time, attempts and events must all be reached before a webhook is disabled", () => {
  const long = [step(0, failed, 1), step(400, failed, 2), step(1000, failed, 1)];
  assert.equal(run(long).state.state, "active", "three attempts");
  assert.equal(run([...long, step(1001, failed, 2)]).state.state, "disabled");
  const short = [0, 1, 2, 3, 4].map((at) => step(at, failed, at));
  assert.equal(run(short).state.state, "active", "four milliseconds");
  const single = [0, 500, 1000, 1500, 2000].map((at) => step(at, failed, 1));
  assert.equal(run(single).state.state, "active", "one event");
});

test("the warning goes out once, from half-way on, and says when the webhook would be disabled", () => {
  const outcome = run([step(0, failed), step(499, failed), step(500, failed), step(700, failed)]);
  assert.deepEqual(outcome.notices, [
    { kind: "webhook_failing", detail: { failingSince: instant(0), disabledFrom: instant(1000) } },
  ]);
});

test("a success clears the run; it is told only where a warning or a disabling was", () => {
  const quiet = run([step(0, failed), step(10, ok)]);
  assert.deepEqual([quiet.notices, quiet.health.failingSince], [[], null]);
  assert.deepEqual([quiet.health.lastSuccessAt, quiet.health.lastFailureAt], [10, 0]);
  const warned = run([step(0, failed), step(600, failed), step(700, ok), step(701, ok)]);
  assert.deepEqual(kinds(warned), ["webhook_failing", "webhook_recovered"]);
});

test("only what was disabled for failing comes back by a success", () => {
  for (const reason of ["gone", "receiver_request", "owner_changed"]) {
    assert.deepEqual(run([step(0, ok)], { state: "disabled", reason }).state, {
      state: "disabled",
      reason,
    });
  }
  const back = run([step(0, ok)], { state: "disabled", reason: "failing" });
  assert.deepEqual([back.state, kinds(back)], [ACTIVE, ["webhook_recovered"]]);
});

test("a 400 to everything is a failure like any other: warned of, and disabled in the end", () => {
  const all = Array.from({ length: 20 }, (_, at) => step(at * 100, badRequest, at, 2));
  const outcome = run(all);
  assert.deepEqual(outcome.state, { state: "disabled", reason: "failing" });
  assert.deepEqual(kinds(outcome), ["webhook_failing", "webhook_disabled"]);
  assert.equal(outcome.health.failingSince, 0);
});

test("a webhook that accepted another event name is warned of, and not disabled for 400s to one name", () => {
  const rule = { ...RULE, acceptsOthers: true };
  const one = Array.from({ length: 20 }, (_, at) => step(at * 100, badRequest, at, 2));
  const spared = run(one, ACTIVE, rule);
  assert.deepEqual([spared.state, spared.health.failedAttempts], [ACTIVE, 20]);
  assert.deepEqual(spared.notices, [
    { kind: "webhook_failing", detail: { failingSince: instant(0), disabledFrom: null } },
  ]);
  for (const other of [step(2000, badRequest, 99, 3), step(2000, failed, 99, 2)]) {
    const outcome = run([...one, other], ACTIVE, rule);
    assert.equal(outcome.state.state, "disabled", "another failure ends the sparing");
  }
});

test("what was accepted lately is looked up before a run of 400s disables", () => {
  const rule = { ...RULE, afterMs: 0, acceptsOthers: null };
  const one = Array.from({ length: 20 }, (_, at) => step(at, badRequest, at, 2));
  assert.deepEqual(run(one, ACTIVE, rule).state, ACTIVE);
});

test("a final answer disables active and paused webhooks at once, and says so once", () => {
  const gone: HealthSignal = { kind: "disable", reason: "gone", urlMark: "" };
  for (const state of ["active", "paused"] as const) {
    const outcome = run([step(0, gone), step(1, gone)], { state, reason: null });
    assert.deepEqual(outcome.state, { state: "disabled", reason: "gone" });
    assert.deepEqual(kinds(outcome), ["webhook_disabled"]);
  }
});

test("a paused webhook is not disabled for failing", () => {
  const outcome = run(
    [0, 400, 800, 1200, 1600].map((at) => step(at, failed, at)),
    {
      state: "paused",
      reason: null,
    },
  );
  assert.deepEqual([outcome.state.state, kinds(outcome)], ["paused", []]);
});

test("signals of one settlement and one by one come to the same", () => {
  const signal = fc.constantFrom<HealthSignal>(ok, failed, badRequest, {
    kind: "disable",
    reason: "gone",
    urlMark: "",
  });
  const event = fc.record({ signal, eventSeq: fc.nat(3), kind: fc.integer({ min: 1, max: 4 }) });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), fc.nat(3000), (events: HealthEvent[], now) => {
      const before = { ...HEALTHY, failingSince: 0, failedAttempts: 1, firstFailedEvent: 0 };
      const together = applyHealth(before, ACTIVE, events, RULE, now);
      let [health, state] = [before as HealthOutcome["health"], ACTIVE];
      const notices: HealthOutcome["notices"] = [];
      for (const one of events) {
        const outcome = applyHealth(health, state, [one], RULE, now);
        ({ health, state } = outcome);
        notices.push(...outcome.notices);
      }
      assert.deepEqual(
        [together.health, together.state, together.notices],
        [health, state, notices],
      );
    }),
  );
});

test("a final answer to a probe ends the probing of what was disabled for failing", () => {
  const failing: HealthState = { state: "disabled", reason: "failing" };
  const after = run([step(0, { kind: "disable", reason: "gone", urlMark: "" })], failing);
  assert.deepEqual(after.state, { state: "disabled", reason: "gone" });
  assert.ok(after.stateChanged);
  assert.deepEqual(kinds(after), ["webhook_disabled"]);
});
