import { lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";

/** The owner may write and list, and nobody else. */
const OWNERS_ALONE = 0o700;
const PERMISSIONS = 0o777;

/**
 * Returns a folder for Node's compiled code that no other user of this machine can write to, made if it is missing. Null if
 * there is none. Node itself takes a folder of a known name in `/tmp`: another user may have made that one before, and
 * Node runs what lies in it in place of our code.
 */
export function compileCacheFolder(temporary: string, userId: number): string | null {
  const folder = join(temporary, `markethook-compile-cache-${userId}`);
  try {
    mkdirSync(folder, { mode: OWNERS_ALONE });
  } catch {
    // It may be there. If it is not, the next look fails.
  }
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true || found.uid !== userId) return null;
  return (found.mode & PERMISSIONS) === OWNERS_ALONE ? folder : null;
}
