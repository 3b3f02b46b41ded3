import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { test } from "node:test";
import { listenOnLoopback } from "@markethook/protocol/testing";
import { MAIN } from "../built-command.ts";
import { sqlitePlace } from "../places.ts";

/** A first start that failed on a taken port used to make the first key and never show it. */
test("the first API key is shown at the first start that works, not lost at one that fails", async (t) => {
  const place = await sqlitePlace();
  const taken = createServer();
  const port = await listenOnLoopback(taken);
  t.after(async () => {
    taken.close();
    await place.drop();
  });
  const failed = serve(place.env, port);
  assert.equal(await failed.exited, 1);
  assert.match(failed.said(), /address_in_use/);
  assert.doesNotMatch(failed.said(), /First API key/);

  const works = serve(place.env, 0);
  await works.until(/First API key, shown only now: mh_[0-9A-Za-z]{46}\n/);
  works.stop();
  assert.equal(await works.exited, 0);
});

function serve(env: Record<string, string>, port: number) {
  const child = spawn(process.execPath, [MAIN, "serve"], {
    env: {
      PATH: process.env["PATH"] ?? "",
      MARKETHOOK_BASE_URL: "https://market.example",
      MARKETHOOK_PORT: String(port),
      ...env,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let text = "";
  let wake: () => void = () => {};
  child.stderr.on("data", (chunk: Buffer) => {
    text += chunk.toString();
    wake();
  });
  return {
    exited: new Promise<number | null>((resolve) => child.once("close", resolve)),
    said: () => text,
    stop: () => void child.kill("SIGTERM"),
    async until(pattern: RegExp) {
      while (!pattern.test(text)) await new Promise<void>((resolve) => (wake = resolve));
    },
  };
}
