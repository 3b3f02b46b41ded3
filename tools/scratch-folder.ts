import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const NAME = "markethook-tests-";
/** A run of `npm test` has held 0.4 GiB at most. */
const ROOM = 2 * 1024 ** 3;

/**
 * A folder in memory for the temporary files of a test run: making and deleting thousands of files on a disk was a
 * seventh of the processor time of all tests. Null where the system has no such place, or too little room in it. What
 * a killed run has left there goes first.
 */
export function scratchFolder(memory = MEMORY, room = ROOM): string | null {
  try {
    for (const name of readdirSync(memory)) {
      if (name.startsWith(NAME) && !runs(Number(name.slice(NAME.length))))
        remove(join(memory, name));
    }
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < room) return null;
    const path = join(memory, `${NAME}${process.pid}`);
    mkdirSync(path);
    // PostgreSQL runs as nobody where we are root.
    chmodSync(path, 0o755);
    return path;
  } catch {
    return null;
  }
}

const remove = (path: string): void => rmSync(path, { recursive: true, force: true });

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
