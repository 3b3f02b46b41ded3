import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test, type TestContext } from "node:test";
import pino from "pino";
import { stopOnSignals } from "./stop-on-signals.ts";

/** A service that is told to stop, and ends its work when the test says so. It may take 40 s to stop. */
function running(t: TestContext, { isLogRead = true } = {}) {
  const { exitCode } = process;
  t.after(() => (process.exitCode = exitCode));
  const signals = new EventEmitter();
  const stopped = Promise.withResolvers<{ released: number }>();
  const exited = Promise.withResolvers<number | string>();
  let at = 5000;
  stopOnSignals(
    () => stopped.promise,
    { logger: pino({ level: "silent" }), flush: async () => isLogRead },
    { stopDelay: 5000, attemptTimeout: 15_000 },
    {
      on: (event, listener) => signals.on(event, listener),
      exit: (code) => exited.resolve(code),
      kill: (signal) => exited.resolve(signal),
      now: () => at,
    },
  );
  return {
    signal(name: string, afterMs: number): void {
      at += afterMs;
      signals.emit(name, name);
    },
    end: () => stopped.resolve({ released: 0 }),
    fail: () => stopped.reject(new Error("no")),
    exited: exited.promise,
  };
}

test("a second signal within a second of the first is the same one: the stop goes on and ends with 0", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  for (const [first, second] of [
    ["SIGINT", "SIGINT"],
    ["SIGTERM", "SIGINT"],
  ] as const) {
    const service = running(t);
    service.signal(first, 0);
    service.signal(second, 3);
    service.signal(second, 990);
    service.end();
    assert.equal(await service.exited, 0);
  }
});

test("a signal a second after the first ends at once with 1, and so does a stop that fails", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const impatient = running(t);
  impatient.signal("SIGINT", 0);
  impatient.signal("SIGINT", 1000);
  assert.equal(await impatient.exited, 1);
  const failing = running(t);
  failing.signal("SIGTERM", 0);
  failing.fail();
  assert.equal(await failing.exited, 1);
});

test("a stop that takes longer than its limit, as while the database hangs, ends with 1", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const hanging = running(t);
  hanging.signal("SIGTERM", 0);
  t.mock.timers.tick(39_999);
  const later = new Promise((resolve) => setImmediate(resolve, "still stopping"));
  assert.equal(await Promise.race([hanging.exited, later]), "still stopping");
  t.mock.timers.tick(1);
  assert.equal(await hanging.exited, 1);
});

test("where the reader of the log does not read, a signal ends the process: an exit would wait for the reader", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const inOrder = running(t, { isLogRead: false });
  inOrder.signal("SIGTERM", 0);
  inOrder.end();
  assert.equal(await inOrder.exited, "SIGTERM");
  const failing = running(t, { isLogRead: false });
  failing.signal("SIGTERM", 0);
  failing.fail();
  assert.equal(await failing.exited, "SIGKILL");
});
