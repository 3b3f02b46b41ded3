import { mkdtempSync, rmSync } from "node:fs";
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
