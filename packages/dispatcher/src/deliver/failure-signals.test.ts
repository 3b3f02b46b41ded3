import assert from "node:assert/strict";
import { test } from "node:test";
import type { Settlement } from "@markethook/store";
import { FailureSignals } from "./failure-signals.ts";

type HealthSignal = NonNullable<Settlement["health"]>;

const FAILED: HealthSignal = { kind: "failed", badRequest: false };
const BAD_REQUEST: HealthSignal = { kind: "failed", badRequest: true };

function settlement(webhookNo: number, eventSeq: number, health?: HealthSignal): Settlement {
  return {
    seq: eventSeq,
    lease: 1,
    webhookNo,
    eventSeq,
    eventName: "product.user.purchase",
    attempt: null,
    next:
      health?.kind === "failed"
        ? { kind: "retry", delayMs: 1000, counts: true, throttled: false }
        : { kind: "end", state: "delivered", reason: null },
    ...(health === undefined ? {} : { health }),
  };
}

function signals() {
  let now = 0;
  const thinner = new FailureSignals(() => now);
  return {
    wait: (ms: number) => void (now += ms),
    of(webhookNo: number, eventSeq: number, health?: HealthSignal) {
      const one = settlement(webhookNo, eventSeq, health);
      thinner.thinOut(one);
      return one.health;
    },
  };
}

test("of a webhook that fails often two events in a quarter of a second are stored, and the rest is counted", () => {
  const { of, wait } = signals();
  assert.deepEqual(of(1, 1, FAILED), FAILED);
  assert.equal(of(1, 1, FAILED), undefined);
  assert.deepEqual(of(1, 2, FAILED), { ...FAILED, times: 2 });
  for (let event = 3; event < 10; event += 1) assert.equal(of(1, event, FAILED), undefined);
  assert.deepEqual(of(2, 1, FAILED), FAILED);
  wait(250);
  assert.deepEqual(of(1, 11, FAILED), { ...FAILED, times: 8 });
  wait(250);
  assert.deepEqual(of(1, 12, FAILED), FAILED);
});

test("another kind of failure, and the first one after a success, are stored at once", () => {
  const { of } = signals();
  assert.deepEqual(of(1, 1, FAILED), FAILED);
  assert.deepEqual(of(1, 1, BAD_REQUEST), BAD_REQUEST);
  assert.equal(of(1, 1, BAD_REQUEST), undefined);
  assert.equal(of(1, 2), undefined);
  assert.deepEqual(of(1, 3, BAD_REQUEST), BAD_REQUEST);
  assert.deepEqual(of(1, 4, { kind: "ok" }), { kind: "ok" });
  assert.deepEqual(of(1, 5, BAD_REQUEST), BAD_REQUEST);
});
