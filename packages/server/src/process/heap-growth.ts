import { constants, type PerformanceNodeEntry, PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/**
 * The old generation may grow to about this much before it is collected. It is less with the embedded store, because
 * the database's pages and its threads take memory of the same process.
 */
export const HEAP_BYTES = { sqlite: 76 * 1024 * 1024, postgres: 128 * 1024 * 1024 } as const;

let sizeBytes: number = HEAP_BYTES.sqlite;

/** It may always grow by this percentage of the live data. */
const LEAST_PERCENT = 60;
/** V8's own default. */
const MOST_PERCENT = 300;

/**
 * By default, the heap grows to four times its live data before anything is collected. A fixed share of the live data
 * is no good measure either: with little live data collecting costs a sixth of the time, with much it costs the memory.
 * So the old generation has a fixed size, or a share of the live data as room if that is more. It is set again after
 * each collection, for the one after the next.
 */
export function limitHeapGrowth(): void {
  set(LEAST_PERCENT);
  const observer = new PerformanceObserver((entries) => {
    if (entries.getEntries().some(isMajor)) set(growthPercent(oldGenerationBytes(), sizeBytes));
  });
  observer.observe({ entryTypes: ["gc"] });
}

/** Sets what the old generation may grow to, from the next collection on. */
export function setHeapBytes(bytes: number): void {
  sizeBytes = bytes;
}

/** By what percentage of the live data the heap may grow. */
export function growthPercent(liveBytes: number, size: number): number {
  const percent = Math.floor((size / liveBytes - 1) * 100);
  return Math.max(LEAST_PERCENT, Math.min(MOST_PERCENT, percent));
}

/** The young generation does not count: by the time that this is read, it is full of new garbage. */
function oldGenerationBytes(): number {
  return getHeapSpaceStatistics()
    .filter(({ space_name: name }) => !name.startsWith("new_"))
    .reduce((sum, space) => sum + space.space_used_size, 0);
}

function isMajor(entry: PerformanceEntry): boolean {
  const { detail } = entry as PerformanceNodeEntry; // What the entry type "gc" brings.
  return (detail as { kind: number }).kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}

/** V8 reads it each time it plans the next collection. */
function set(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
