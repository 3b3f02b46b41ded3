import { constants, type PerformanceNodeEntry, PerformanceObserver } from "node:perf_hooks";
import { getHeapStatistics, setFlagsFromString } from "node:v8";

/** The old generation may grow by about this much before it is collected. */
const ROOM_BYTES = 42 * 1024 * 1024;
/** If more is live, by this percentage of that. */
const LEAST_PERCENT = 45;
/** V8's own default. */
const MOST_PERCENT = 300;

/**
 * By default, the heap grows to four times its live data before anything is collected. A fixed share of the live data
 * is no good measure either: with little live data collecting costs a sixth of the time, with much it costs the memory.
 * So the room has a fixed size, or a share of the live data if that is more. It is set again after each collection, for
 * the one after the next.
 */
export function limitHeapGrowth(): void {
  set(LEAST_PERCENT);
  const observer = new PerformanceObserver((entries) => {
    if (entries.getEntries().some(isMajor)) set(growthPercent(getHeapStatistics().used_heap_size));
  });
  observer.observe({ entryTypes: ["gc"] });
}

/** By what percentage of the live data the heap may grow. */
export function growthPercent(liveBytes: number): number {
  const percent = Math.floor((ROOM_BYTES / liveBytes) * 100);
  return Math.max(LEAST_PERCENT, Math.min(MOST_PERCENT, percent));
}

function isMajor(entry: PerformanceEntry): boolean {
  const { detail } = entry as PerformanceNodeEntry; // What the entry type "gc" brings.
  return (detail as { kind: number }).kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}

/** V8 reads it each time it plans the next collection. */
function set(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
