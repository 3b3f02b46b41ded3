import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";

/** Stops on SIGTERM. Logs more than a pipe holds, and tells on standard error that it has. */
const SCRIPT = `
  import { createLogging } from ${JSON.stringify(import.meta.resolve("../log/logger.ts"))};
  import { stopOnSignals } from ${JSON.stringify(import.meta.resolve("./stop-on-signals.ts"))};
  // The limit of the last lines is for a reader that stalls. One that reads may be slow, on a machine that is busy.
  if (process.argv[1] === "patient") AbortSignal.timeout = () => new AbortController().signal;
  const logging = createLogging("info");
  stopOnSignals(async () => ({ released: 0 }), logging, { stopDelay: 5000, attemptTimeout: 5000 });
  setInterval(() => {}, 1000);
  for (let line = 0; line < Number(process.argv[2]); line += 1) logging.logger.info("x".repeat(1000));
  process.stderr.write("logged");`;

async function logging(limit: "impatient" | "patient", lines = 2000): Promise<ChildProcess> {
  const args = ["--input-type=module", "-e", SCRIPT, limit, String(lines)];
  const child = spawn(process.execPath, args);
  await once(child.stderr, "data");
  return child;
}

async function end(child: ChildProcess): Promise<unknown[]> {
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  return await exited;
}

test("a stop in order ends the process, whether the reader of its log stalls, is gone or reads", async () => {
  const stalled = await logging("impatient");
  assert.deepEqual(await end(stalled), [null, "SIGTERM"]);

  const gone = await logging("patient");
  gone.stdout?.destroy();
  assert.deepEqual(await end(gone), [0, null]);

  const read = await logging("patient");
  let text = "";
  read.stdout?.on("data", (some) => (text += String(some)));
  assert.deepEqual(await end(read), [0, null]);
  assert.match(text, /"stopped"/);
});

test("lines for which there was no room while nobody read are counted in a line of their own", async (t) => {
  const child = await logging("patient", 6000);
  t.after(() => child.kill("SIGKILL"));
  let text = "";
  for await (const some of child.stdout ?? []) {
    text += String(some);
    if (/"lines":\d+.*\n/.test(text)) break;
  }
  const written = text.match(/x{1000}/g)?.length ?? 0;
  const missing = Number(/"lines":(\d+)/.exec(text)?.[1]);
  assert.ok(written + missing <= 6000 && missing > 1000, `${written} and ${missing}`);
});
