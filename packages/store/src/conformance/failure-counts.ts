import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { applyHealth, HEALTHY, type HealthEvent } from "../hot/webhook-health.ts";
import { kindOf } from "../hot/kinds.ts";
import type { HealthSignal } from "../port/deliveries.ts";
import { only } from "./checks.ts";
import { event } from "./reports.ts";
import { FAILED, HOUR, retried, RULE } from "./settlements.ts";
import type { World } from "./world.ts";

const ACTIVE = { state: "active", reason: null } as const;

/** Half of its time is no whole number of milliseconds. */
const ODD_RULE = { ...RULE, afterMs: RULE.afterMs + 1 };

/** What becomes of a batch's deliveries: of some nothing is known about the webhook's health. */
const SIGNAL = fc.constantFrom<HealthSignal | null>(
  FAILED,
  { kind: "failed", badRequest: true },
  { kind: "failed", badRequest: true },
  { kind: "ok" },
  null,
);
const BATCH = fc.record({
  // Of eight batches some come after the warning, and none after five days: a webhook that is disabled gets no more.
  afterHours: fc.constantFrom(0, 1, 14),
  signals: fc.array(SIGNAL, { minLength: 3, maxLength: 3 }),
});

export function testFailureCounts(w: World): void {
  test("failures that are only counted leave the same health as failures that are judged one by one", async () => {
    const property = fc.asyncProperty(fc.array(BATCH, { maxLength: 8 }), async (batches) => {
      await w.quiet();
      const { id, hooks } = await w.shop();
      const instanceNo = await w.instanceNo();
      const items = (["purchase", "purchase", "download"] as const).map((name) =>
        event(id, name, w.user()),
      );
      await w.accept(items);
      let expected = HEALTHY;
      for (const { afterHours, signals } of batches) {
        await w.harness.advance(afterHours * HOUR);
        const leased = (await w.claimAll(instanceNo)).toSorted((a, b) => a.seq - b.seq);
        assert.equal(leased.length, items.length);
        const settlements = leased.map((one, at) => {
          const settlement = retried(one, 0);
          const signal = signals[at] ?? null;
          if (signal !== null) settlement.health = signal;
          return settlement;
        });
        const events = settlements.flatMap(({ health, eventSeq, eventName }): HealthEvent[] =>
          health === undefined ? [] : [{ signal: health, eventSeq, kind: kindOf(eventName) }],
        );
        const now = await w.store.maintenance.now();
        await w.store.deliveries.settle(instanceNo, settlements, ODD_RULE);
        const rule = { ...ODD_RULE, acceptsOthers: false };
        if (events.length > 0) expected = applyHealth(expected, ACTIVE, events, rule, now).health;
      }
      const stored = (await w.harness.rows("webhook_health")).filter(
        (row) => Number(row["webhook_no"]) === hooks[0]?.no,
      );
      if (expected === HEALTHY) return assert.deepEqual(stored, []);
      const row = only(stored);
      assert.deepEqual(
        {
          failing: row["failing_since"] !== null,
          failedAttempts: Number(row["failed_attempts"]),
          firstFailedEvent:
            row["first_failed_event"] === null ? null : Number(row["first_failed_event"]),
          severalEvents: Number(row["several_events"]) === 1,
          badRequestKind: row["bad_request_kind"] === null ? null : Number(row["bad_request_kind"]),
          hasFailed: row["last_failure_at"] !== null,
        },
        {
          failing: expected.failingSince !== null,
          failedAttempts: expected.failedAttempts,
          firstFailedEvent: expected.firstFailedEvent,
          severalEvents: expected.severalEvents,
          badRequestKind: expected.badRequestKind,
          hasFailed: expected.lastFailureAt !== null,
        },
      );
    });
    await fc.assert(property, { numRuns: 25 });
  });
}
