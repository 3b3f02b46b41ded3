import { findOutOfFiles } from "@markethook/dispatcher";

const LOOK_EVERY_MS = 1000;

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
    const error = findOutOfFiles();
    if ((error !== null) === isUsedUp) return;
    isUsedUp = error !== null;
    if (error === null) told.free();
    else told.usedUp(error);
  }, LOOK_EVERY_MS).unref();
  return async () => clearInterval(timer);
}
