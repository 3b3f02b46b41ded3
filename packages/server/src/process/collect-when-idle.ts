import { type EventLoopUtilization, performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { giveBackMemory } from "./give-back-memory.ts";

const LOOK_EVERY_MS = 10_000;
/** Of the time between two looks. */
const IDLE_BELOW = 0.05;
/** Less is not worth a pause, which takes 20 to 110 ms. */
const WORTH_BYTES = 32 * 1024 * 1024;

/** In looks, after collections that brought little. */
const LONGEST_PAUSE = 64;

/**
 * V8 collects garbage when memory is allocated. A process that has nothing to do after a burst, or after a flood of
 * connections, would keep its garbage until the next one. So memory that has grown is collected once all is quiet, and
 * what is free goes back to the system. What is still in use then may be free soon: so it is tried again, after ever
 * longer pauses while it brings little. Returns a function that ends it.
 */
export function collectWhenIdle({
  everyMs = LOOK_EVERY_MS,
  utilization = (since: EventLoopUtilization) =>
    performance.eventLoopUtilization(since).utilization,
  resident = () => process.memoryUsage.rss(),
  collected = (_freedBytes: number): void => {},
} = {}): () => void {
  let lowest = resident();
  let settled = lowest;
  let pause = 0;
  let looksToWait = 0;
  let since = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const isIdle = utilization(since) < IDLE_BELOW;
    since = performance.eventLoopUtilization();
    const now = resident();
    lowest = Math.min(lowest, now);
    if (!isIdle || now - lowest < WORTH_BYTES) return;
    const hasGrown = now - settled >= WORTH_BYTES;
    looksToWait -= 1;
    if (looksToWait > 0 && !hasGrown) return;
    collect();
    giveBackMemory();
    settled = resident();
    const broughtLittle = now - settled < WORTH_BYTES;
    pause = broughtLittle ? Math.min(Math.max(1, pause * 2), LONGEST_PAUSE) : 1;
    looksToWait = pause;
    collected(now - settled);
  }, everyMs).unref();
  return () => clearInterval(timer);
}

/** All generations. There is no other way to ask for it without a flag on the command line. */
function collect(): void {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void; // What that flag adds.
  gc();
}
