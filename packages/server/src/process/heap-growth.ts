import { constants, type PerformanceNodeEntry, PerformanceObserver } from "node:perf_hooks";
import { getHeapStatistics, setFlagsFromString } from "node:v8";

/** The old generation may grow by about so much before it is collected. */
const ROOM_BYTES = 42 * 1024 * 1024;
/** Where much is live, by so many hundredths of that. */
const LEAST_PERCENT = 45;
/** What V8 does when it is left alone. */
const MOST_PERCENT = 300;

/**
 * Left alone, the heap grows to four times what is live in it before anything is collected. A share of what is live is
 * no good measure either: with little of it collecting costs a sixth of the time, with much of it the memory. So there
 * is as much room whatever is live, and a share where that is more. Set again after each collection, for the one after
 * the next.
 */
export function limitHeapGrowth(): void {
  set(LEAST_PERCENT);
  const observer = new PerformanceObserver((entries) => {
    if (entries.getEntries().some(isMajor)) set(growthPercent(getHeapStatistics().used_heap_size));
  });
  observer.observe({ entryTypes: ["gc"] });
}

/** By how many hundredths of what is live the heap may grow. */
export function growthPercent(liveBytes: number): number {
  const percent = Math.floor((ROOM_BYTES / liveBytes) * 100);
  return Math.max(LEAST_PERCENT, Math.min(MOST_PERCENT, percent));
}

function isMajor(entry: PerformanceEntry): boolean {
  const { detail } = entry as PerformanceNodeEntry; // What the entry type "gc" brings.
  return (detail as { kind: number }).kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}

/** V8 reads it whenever it decides when to collect next. */
function set(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
