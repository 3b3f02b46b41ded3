import assert from "node:assert/strict";
import { test } from "node:test";
import type { DispatcherStatistics } from "@markethook/dispatcher";
import { createReadiness } from "./readiness.ts";

test("an instance whose heartbeats are not confirmed is not ready, though the database takes its other writes", async () => {
  let mayWrite = true;
  let time = 0;
  const ready = createReadiness({
    store: { maintenance: { checkWritable: async () => {} } as never }, // Nothing else is asked of it.
    accepts: { trouble: () => null, tried() {} },
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

test("both trials are made at once, so that a database that hangs takes the time of one", async () => {
  const probed = Promise.withResolvers<void>();
  const ready = createReadiness({
    store: {
      maintenance: {
        checkWritable: () => probed.promise,
        async tryAccept() {
          probed.resolve();
        },
      } as never, // Nothing else is asked of it.
    },
    accepts: { trouble: () => ({ reason: "failing for 5 s", mayTry: true }), tried() {} },
    dispatcher: { statistics: () => ({ mayWrite: true }) as DispatcherStatistics },
    now: () => 0,
    remarks: {},
    isStopping: () => false,
  });
  assert.deepEqual((await ready()).checks, {
    store: "writable",
    accepts: "stored",
    lease: "valid",
  });
});

test("the database is tried once a second, however often somebody asks", async () => {
  let tried = 0;
  let time = 0;
  const ready = createReadiness({
    store: {
      maintenance: {
        async checkWritable() {
          tried += 1;
        },
      } as never, // Nothing else is asked of it.
    },
    accepts: { trouble: () => null, tried() {} },
    dispatcher: { statistics: () => ({ mayWrite: true }) as DispatcherStatistics },
    now: () => time,
    remarks: {},
    isStopping: () => false,
  });
  for (time of [0, 500, 1000, 1001, 1500]) await ready();
  assert.equal(tried, 2);
});
