/** With no file left to open, reading the memory in use throws: that ended a service within ten seconds. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

const PROGRAM = `
  import { openSync } from "node:fs";
  import { collectWhenIdle, residentBytes } from ${JSON.stringify(join(import.meta.dirname, "collect-when-idle.ts"))};
  let looks = 0;
  const known = residentBytes();
  const end = collectWhenIdle({ everyMs: 5, utilization: () => (looks += 1, 0) });
  try {
    for (;;) openSync("/dev/null");
  } catch {}
  setInterval(() => {
    if (looks < 3) return;
    console.log(typeof known, residentBytes());
    end();
    process.exit();
  }, 5);
`;

test("a process with no file left to open goes on, and its memory is unknown", () => {
  const command = [process.execPath, "--input-type=module-typescript", "-e", PROGRAM];
  const limited = ["-c", 'ulimit -n 64 && exec "$@"', "sh", ...command];
  assert.equal(execFileSync("sh", limited, { encoding: "utf8" }), "number null\n");
});
