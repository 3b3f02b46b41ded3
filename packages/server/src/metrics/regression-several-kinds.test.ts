import assert from "node:assert/strict";
import { test } from "node:test";
import type { DispatcherStatistics } from "@markethook/dispatcher";
import { createMetrics } from "./metrics.ts";

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
