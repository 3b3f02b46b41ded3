import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";

const LOOK_EVERY_MS = 1000;
/** The process has as many files and connections open as it may, or the machine has. */
const USED_UP = new Set(["EMFILE", "ENFILE"]);

/**
 * Looks every second whether a file can be opened. While none can, the system closes connections of clients before this
 * process hears of them, so nothing else may fail. `usedUp` is called once, and `free` once it has passed.
 */
export function watchFiles(told: {
  usedUp(error: Error): void;
  free(): void;
}): () => Promise<void> {
  let isUsedUp = false;
  const timer = setInterval(() => {
    const error = findFault();
    if ((error !== null) === isUsedUp) return;
    isUsedUp = error !== null;
    if (error === null) told.free();
    else told.usedUp(error);
  }, LOOK_EVERY_MS).unref();
  return async () => clearInterval(timer);
}

function findFault(): Error | null {
  try {
    closeSync(openSync(devNull, "r"));
    return null;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException; // Node's errors have a code.
    return error instanceof Error && USED_UP.has(code) ? error : null;
  }
}
