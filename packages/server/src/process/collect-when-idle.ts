import { type EventLoopUtilization, performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type * as Ffi from "node:ffi";

const LOOK_EVERY_MS = 10_000;
/** Of the time between two looks. */
const IDLE_BELOW = 0.05;
/** Less is not worth a pause, which takes 20 to 110 ms. */
const WORTH_BYTES = 32 * 1024 * 1024;

/** In looks, after collections that brought little. */
const LONGEST_PAUSE = 64;

/**
 * V8 collects garbage when memory is allocated. A process that has nothing to do after a burst, or after a flood of
 * connections, would keep its garbage until the next one. So grown memory is collected once all is quiet, and free
 * memory goes back to the system. More may be free soon, so this is repeated, after longer and longer pauses while it
 * frees little. Returns a function that ends it.
 */
export function collectWhenIdle({
  everyMs = LOOK_EVERY_MS,
  utilization = (since: EventLoopUtilization) =>
    performance.eventLoopUtilization(since).utilization,
  resident = residentBytes,
  collected = (_freedBytes: number): void => {},
} = {}): () => void {
  let lowest = resident() ?? Infinity;
  let settled = lowest;
  let pause = 0;
  let looksToWait = 0;
  let since = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const isIdle = utilization(since) < IDLE_BELOW;
    since = performance.eventLoopUtilization();
    const now = resident();
    if (now === null) return;
    lowest = Math.min(lowest, now);
    if (!isIdle || now - lowest < WORTH_BYTES) return;
    const hasGrown = now - settled >= WORTH_BYTES;
    looksToWait -= 1;
    if (looksToWait > 0 && !hasGrown) return;
    collect();
    giveBackMemory();
    settled = resident() ?? now;
    const broughtLittle = now - settled < WORTH_BYTES;
    pause = broughtLittle ? Math.min(Math.max(1, pause * 2), LONGEST_PAUSE) : 1;
    looksToWait = pause;
    collected(now - settled);
  }, everyMs).unref();
  return () => clearInterval(timer);
}

/** Memory of this process. Null while it can open no file: Linux tells it in a file. */
export function residentBytes(): number | null {
  try {
    return process.memoryUsage.rss();
  } catch {
    return null;
  }
}

/** All generations. There is no other way to ask for it without a flag on the command line. */
function collect(): void {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void; // What that flag adds.
  gc();
}

let library: ReturnType<typeof openLibrary> | undefined;

/**
 * Gives free memory back to the system, which takes up to 70 ms. The C library of most Linux systems (glibc) keeps it
 * otherwise: some 190 MB after a flood of connections. Returns false where this is not possible: with another C library
 * (Alpine, macOS), and with a Node that cannot call it (before 26.1).
 */
export function giveBackMemory(): boolean {
  if (library === undefined) library = openLibrary();
  if (library === null) return false;
  library.functions.malloc_trim(0n);
  return true;
}

/** The C library of this process; null: it lacks that function. Kept open, because closing it would end its functions. */
function openLibrary() {
  const { emitWarning } = process;
  // Node warns that the module is experimental. Without it the memory is kept, and nothing else is different.
  process.emitWarning = () => {};
  try {
    const ffi = process.getBuiltinModule("node:ffi") as typeof Ffi | undefined; // Older versions of Node have none.
    return ffi?.dlopen(null, { malloc_trim: { arguments: ["uint64"], return: "int32" } }) ?? null;
  } catch {
    return null;
  } finally {
    process.emitWarning = emitWarning;
  }
}
