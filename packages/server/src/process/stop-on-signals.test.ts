import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import pino from "pino";
import { stopLimitMs, stopOnSignals } from "./stop-on-signals.ts";

/** A service that is told to stop, and ends its work when the test says so. */
function running({ isLogRead = true } = {}) {
  const signals = new EventEmitter();
  const stopped = Promise.withResolvers<{ released: number }>();
  const exited = Promise.withResolvers<number | string>();
  let at = 5000;
  let overtime = (): void => undefined;
  stopOnSignals(
    () => stopped.promise,
    { logger: pino({ level: "silent" }), flush: async () => isLogRead },
    35_000,
    {
      on: (event, listener) => signals.on(event, listener),
      exit: (code) => exited.resolve(code),
      kill: (signal) => exited.resolve(signal),
      now: () => at,
      after: (ms, run) => {
        assert.equal(ms, 35_000);
        overtime = run;
      },
    },
  );
  return {
    signal(name: string, afterMs: number): void {
      at += afterMs;
      signals.emit(name, name);
    },
    end: () => stopped.resolve({ released: 0 }),
    fail: () => stopped.reject(new Error("no")),
    overtime: () => overtime(),
    exited: exited.promise,
  };
}

test("a second signal within a second of the first is the same one: the stop goes on and ends with 0", async (t) => {
  const { exitCode } = process;
  t.after(() => (process.exitCode = exitCode));
  for (const [first, second] of [
    ["SIGINT", "SIGINT"],
    ["SIGTERM", "SIGINT"],
  ] as const) {
    const service = running();
    service.signal(first, 0);
    service.signal(second, 3);
    service.signal(second, 990);
    service.end();
    assert.equal(await service.exited, 0);
  }
});

test("a signal a second after the first ends at once with 1, and so does a stop that fails", async (t) => {
  const { exitCode } = process;
  t.after(() => (process.exitCode = exitCode));
  const impatient = running();
  impatient.signal("SIGINT", 0);
  impatient.signal("SIGINT", 1000);
  assert.equal(await impatient.exited, 1);
  const failing = running();
  failing.signal("SIGTERM", 0);
  failing.fail();
  assert.equal(await failing.exited, 1);
});

test("a stop that takes longer than its limit, as while the database hangs, ends with 1", async (t) => {
  const { exitCode } = process;
  t.after(() => (process.exitCode = exitCode));
  const hanging = running();
  hanging.signal("SIGTERM", 0);
  hanging.overtime();
  assert.equal(await hanging.exited, 1);
  assert.equal(stopLimitMs({ stopDelay: 5000, attemptTimeout: 15_000 }), 40_000);
});

test("where the reader of the log does not read, a signal ends the process: an exit would wait for the reader", async (t) => {
  const { exitCode } = process;
  t.after(() => (process.exitCode = exitCode));
  const inOrder = running({ isLogRead: false });
  inOrder.signal("SIGTERM", 0);
  inOrder.end();
  assert.equal(await inOrder.exited, "SIGTERM");
  const failing = running({ isLogRead: false });
  failing.signal("SIGTERM", 0);
  failing.fail();
  assert.equal(await failing.exited, "SIGKILL");
});
