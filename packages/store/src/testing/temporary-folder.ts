import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** For one test: a folder of its own, gone after it. */
export function inFolder(work: (folder: string) => Promise<void> | void): () => Promise<void> {
  return async () => {
    const folder = mkdtempSync(join(tmpdir(), "markethook-test-"));
    try {
      await work(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

const SECOND_MS = 1000;
const AGAIN_MS = 10;

/** Processes that were told to end a moment ago may still make files, so that a folder is not empty after all. */
export function removeUnderEnding(folder: string): void {
  const still = new Int32Array(new SharedArrayBuffer(4));
  for (let waitedMs = 0; waitedMs < SECOND_MS; waitedMs += AGAIN_MS) {
    rmSync(folder, { recursive: true, force: true });
    if (!existsSync(folder)) return;
    Atomics.wait(still, 0, 0, AGAIN_MS);
  }
}
