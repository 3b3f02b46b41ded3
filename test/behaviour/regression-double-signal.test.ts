import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { sqlitePlace } from "../places.ts";

/** The terminal signals npm and the service, and npm passes its own signal on: the second one ended the stop. */
test("Ctrl-C under npm stops the service in order, and npm ends with 0", async (t) => {
  const place = await sqlitePlace();
  // A process group of its own, as a terminal gives to each command.
  const child = spawn("npm", ["run", "markethook", "--", "dev"], {
    env: {
      PATH: process.env["PATH"] ?? "",
      MARKETHOOK_PORT: "0",
      MARKETHOOK_SAMPLE_PORT: "0",
      MARKETHOOK_SAMPLE_MARKETPLACE_PORT: "0",
      ...place.env,
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const ended = new Promise<unknown>((resolve) => child.once("close", resolve));
  const group = -(child.pid ?? 0);
  t.after(async () => {
    // What is left of it, if the test failed.
    if (child.exitCode === null) process.kill(group, "SIGKILL");
    await place.drop();
  });
  for await (const line of createInterface({ input: child.stdout })) {
    if (/^ {2}curl -s /.test(line)) break;
  }
  child.stdout.resume();
  process.kill(group, "SIGINT");
  assert.equal(await ended, 0);
});
