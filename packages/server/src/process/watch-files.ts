import { findOutOfFiles } from "@markethook/dispatcher";

const LOOK_EVERY_MS = 1000;
/** While it lasts it is reported again, or it would not count as a fault that is repeated. */
const AGAIN_LOOKS = 30;

/**
 * Looks every second whether a file can be opened. While none can, the system closes connections of clients before this
 * process hears of them, so nothing else may fail. `usedUp` is called twice a minute, and `free` once it has passed.
 */
export function watchFiles(
  told: { usedUp(error: Error): void; free(): void },
  find: () => Error | null = findOutOfFiles,
): () => Promise<void> {
  let looks = 0;
  const timer = setInterval(() => {
    const error = find();
    if (error === null) {
      if (looks > 0) told.free();
      looks = 0;
      return;
    }
    if (looks % AGAIN_LOOKS === 0) told.usedUp(error);
    looks += 1;
  }, LOOK_EVERY_MS).unref();
  return async () => clearInterval(timer);
}
