import assert from "node:assert/strict";
import { test } from "node:test";
import type { DispatcherStatistics } from "@markethook/dispatcher";
import { createReadiness } from "./readiness.ts";

test("an instance whose heartbeats are not confirmed is not ready, though the database takes its other writes", async () => {
  let mayWrite = true;
  let time = 0;
  const ready = createReadiness({
    store: { maintenance: { checkWritable: async () => {} } as never }, // Nothing else is asked of it.
    accepts: { trouble: () => null, probed() {} },
    dispatcher: { statistics: () => ({ mayWrite }) as DispatcherStatistics },
    now: () => time,
    remarks: {},
    isStopping: () => false,
  });
  assert.equal((await ready()).ready, true);
  mayWrite = false;
  time += 2000;
  assert.deepEqual(await ready(), {
    ready: false,
    checks: {
      store: "writable",
      accepts: "stored",
      lease: "not valid: no heartbeat was confirmed",
    },
  });
});
