import { type EventLoopUtilization, performance } from "node:perf_hooks";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const LOOK_EVERY_MS = 10_000;
/** Of the time between two looks. */
const IDLE_BELOW = 0.05;
/** Less is not worth a pause, which takes 20 to 50 ms. */
const WORTH_BYTES = 32 * 1024 * 1024;

/**
 * V8 collects garbage when memory is allocated. A process that has nothing to do after a burst, or after a flood of
 * connections, would keep its garbage until the next one. So memory that has grown is collected once all is quiet.
 * Returns a function that ends it.
 */
export function collectWhenIdle({
  everyMs = LOOK_EVERY_MS,
  utilization = (since: EventLoopUtilization) =>
    performance.eventLoopUtilization(since).utilization,
  collected = (_freedBytes: number): void => {},
} = {}): () => void {
  let settled = size();
  let since = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const isIdle = utilization(since) < IDLE_BELOW;
    since = performance.eventLoopUtilization();
    const now = size();
    settled = Math.min(settled, now);
    if (!isIdle || now - settled < WORTH_BYTES) return;
    collect();
    settled = size();
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

/** What V8 has from the system, and what buffers hold outside its heap. */
function size(): number {
  const { total_heap_size, external_memory } = getHeapStatistics();
  return total_heap_size + external_memory;
}
