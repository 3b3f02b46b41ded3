import assert from "node:assert/strict";
import { test } from "node:test";
import { watchFiles } from "./watch-files.ts";

test("files that stay used up are told twice a minute, so that the fault counts as repeated, and their end once", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const said: string[] = [];
  let error: Error | null = null;
  const stop = watchFiles(
    { usedUp: ({ message }) => void said.push(message), free: () => void said.push("free") },
    () => error,
  );
  t.mock.timers.tick(5000);
  error = new Error("EMFILE");
  t.mock.timers.tick(61_000);
  assert.deepEqual(said, ["EMFILE", "EMFILE", "EMFILE"]);
  error = null;
  t.mock.timers.tick(5000);
  assert.deepEqual(said.slice(3), ["free"]);
  await stop();
});
