import assert from "node:assert/strict";
import { test } from "node:test";
import type { DispatcherStatistics } from "@markethook/dispatcher";
import { createMetrics, type StoredFigures } from "./metrics.ts";

const NOTHING: DispatcherStatistics = {
  instanceNo: null,
  mayWrite: false,
  open: 0,
  slowOpen: 0,
  queued: 0,
  waiting: {} as DispatcherStatistics["waiting"], // No queue waits for any reason.
  roomBytes: 0,
  unsettled: 0,
  sockets: 0,
  senderThreads: 0,
};

test("two faults of one place that are repeated at a time last as long as the longer one", async () => {
  const fault = { where: "heartbeat", times: 30 };
  const metrics = createMetrics(
    { latest: async () => ({ value: null, ageMs: 0, failed: true }) },
    () => NOTHING,
    () => [
      { ...fault, error: "no answer in time", forMs: 95_000 },
      { ...fault, error: "no server takes writes", forMs: 80_000 },
    ],
    async () => 0,
  );
  const { text } = await metrics.text();
  assert.match(text, /^markethook_repeating_faults\{where="heartbeat"\} 95$/m);
});

test("figures of the database are told in the units of their names, and not before they are known", async () => {
  const stored = {
    pending: 1,
    leased: 2,
    instances: 3,
    sizeBytes: 4,
    webhooks: { active: 5, paused: 6, disabled: 7 },
    suspects: [],
  };
  let value: StoredFigures | null = null;
  const metrics = createMetrics(
    { latest: async () => ({ value, ageMs: 1500, failed: false }) },
    () => NOTHING,
    () => [],
    async () => 0,
  );
  assert.doesNotMatch((await metrics.text()).text, /^markethook_oldest_due_seconds /m);
  value = { oldestDueMs: 2500, stored, notices: { unposted: 8, oldestSeconds: 9 } };
  const { text } = await metrics.text();
  assert.match(text, /^markethook_oldest_due_seconds 2.5$/m);
  assert.match(text, /^markethook_database_figures_age_seconds 1.5$/m);
});
