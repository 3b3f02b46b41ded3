import { writeFileSync } from "node:fs";

/**
 * Creates the file for its owner alone, and flushes it; leaves one that exists as it is. The system decides which of the
 * two it is, so no other process comes in between, and no link that somebody put there is followed.
 */
export function createFileOnce(path: string, content: () => string): void {
  try {
    writeFileSync(path, content(), { mode: 0o600, flag: "wx", flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error; // Node's errors have a code.
  }
}
