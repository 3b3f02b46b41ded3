import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { giveBackMemory } from "./collect-when-idle.ts";

const MB = 1_000_000;
/** Too small to be taken from the system one by one, so the C library keeps what lies between those that stay. */
const PIECE = 60_000;
const PIECES = 3000;
const STAYS = 50;
/** The other thread may not have freed all of them at the first one. */
const MOST_TRIES = 50;

test("memory that is free goes back to the system", async (t) => {
  if (!giveBackMemory()) return t.skip("needs glibc, and Node 26.1 or later");
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void; // What that flag adds.
  const { arrayBuffers } = process.memoryUsage();
  let pieces = Array.from({ length: PIECES }, () => Buffer.alloc(PIECE, 1));
  pieces = pieces.filter((_, no) => no % STAYS === 0);
  // Buffers are freed by another thread, a moment after their collection.
  while (process.memoryUsage().arrayBuffers > arrayBuffers + 10 * MB) {
    collect();
    await turn();
  }
  const before = process.memoryUsage.rss();
  let freed = 0;
  for (let tries = 0; freed <= 100 * MB && tries < MOST_TRIES; tries += 1) {
    giveBackMemory();
    freed = before - process.memoryUsage.rss();
    await turn();
  }
  assert.ok(freed > 100 * MB, `${freed / MB} MB went back, ${pieces.length} pieces stay`);
});
