import assert from "node:assert/strict";
import { test } from "node:test";
import type { AttemptCount } from "@markethook/store";
import { createAttemptRecorder } from "./attempt-recorder.ts";

const HOUR = 3_600_000;
const ATTEMPT = {
  webhookId: "wh_1",
  deliverySeq: 1,
  number: 1,
  outcome: "ok",
  status: 200,
  ms: 1,
  host: "r.example",
  next: "delivered",
  detail: null,
} as const;

function setUp() {
  const stored: AttemptCount[][] = [];
  const faults: unknown[] = [];
  const world = { now: 5 * HOUR, failing: false };
  const recorder = createAttemptRecorder({
    store: {
      async add(counts) {
        if (world.failing) throw new Error("away");
        stored.push(counts.map((count) => ({ ...count })));
      },
      list: async () => [],
    },
    wallNow: () => world.now,
    fault: (_where, error) => void faults.push(error),
    everyMs: 1_000_000,
  });
  return { recorder, stored, faults, world };
}

test("attempts are counted by webhook and hour, and stored together", async () => {
  const { recorder, stored, world } = setUp();
  recorder.observer.attempt(ATTEMPT);
  recorder.observer.attempt({ ...ATTEMPT, outcome: "timeout", status: null, next: "retry" });
  recorder.observer.attempt({ ...ATTEMPT, webhookId: "wh_2", next: "dead" });
  world.now += HOUR;
  recorder.observer.attempt(ATTEMPT);
  await recorder.stop();
  const [counts = []] = stored;
  assert.deepEqual(
    counts.map(({ webhookId, hour, ok, failed }) => [webhookId, hour, ok, failed]),
    [
      ["wh_1", 5, 1, 1],
      ["wh_2", 5, 0, 1],
      ["wh_1", 6, 1, 0],
    ],
  );
  assert.deepEqual([counts[0]?.lastOutcome, counts[0]?.lastStatus], ["timeout", null]);
});

test("a ping is the last attempt and counts for nothing; what was not sent is neither", async () => {
  const { recorder, stored } = setUp();
  recorder.observer.attempt({ ...ATTEMPT, outcome: "lease_lost", next: "release" });
  recorder.notePing("wh_1", { outcome: "http_error", status: 500 });
  await recorder.stop();
  assert.deepEqual(stored[0], [
    {
      webhookId: "wh_1",
      hour: 5,
      ok: 0,
      failed: 0,
      lastAt: 5 * HOUR,
      lastOutcome: "http_error",
      lastStatus: 500,
    },
  ]);
});

test("nothing to store is no write, and what could not be stored is kept", async () => {
  const { recorder, stored, faults, world } = setUp();
  world.failing = true;
  recorder.observer.attempt(ATTEMPT);
  await recorder.stop();
  assert.deepEqual([stored.length, faults.length], [0, 1]);
  world.failing = false;
  recorder.observer.attempt(ATTEMPT);
  await recorder.stop();
  assert.equal(stored[0]?.[0]?.ok, 2);
  await recorder.stop();
  assert.equal(stored.length, 1);
});
