/** A full disk under the log ended the service, and each one that was started after it. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { test } from "node:test";

/** Takes each write with "no space left on device". */
const FULL = "/dev/full";

const SCRIPT = `
  import { createLogging } from ${JSON.stringify(import.meta.resolve("../log/logger.ts"))};
  import { stopOnSignals } from ${JSON.stringify(import.meta.resolve("./stop-on-signals.ts"))};
  const logging = createLogging("info");
  stopOnSignals(async () => ({ released: 0 }), logging, { stopDelay: 5000, attemptTimeout: 5000 });
  let lines = 0;
  setInterval(() => {
    logging.logger.info("x".repeat(5000));
    if (++lines === 50) process.stderr.write("goes on");
  }, 10);`;

test("a service goes on while its log cannot be written, and stops in order", async (t) => {
  if (!existsSync(FULL)) {
    t.skip(`${FULL} is not there`);
    return;
  }
  const full = openSync(FULL, "w");
  const child = spawn(process.execPath, ["--input-type=module", "-e", SCRIPT], {
    stdio: ["ignore", full, "pipe"],
  });
  closeSync(full);
  t.after(() => child.kill("SIGKILL"));
  assert.ok(child.stderr);
  const [told] = await once(child.stderr, "data", { signal: AbortSignal.timeout(60_000) });
  assert.equal(String(told), "goes on");
  const exited = once(child, "exit", { signal: AbortSignal.timeout(60_000) });
  child.kill("SIGTERM");
  assert.deepEqual(await exited, [0, null]);
});
