import { existsSync, readFileSync } from "node:fs";
import { totalmem } from "node:os";

const LIMITS_FILE = "/proc/self/limits";

/** Null if it cannot be known. Node raises the soft limit to the hard one, so it holds for every command. */
export function openFileLimit(): number | null {
  if (!existsSync(LIMITS_FILE)) return null;
  const found = /^Max open files\s+(\S+)/m.exec(readFileSync(LIMITS_FILE, "utf8"))?.[1];
  if (found === undefined) return null;
  return found === "unlimited" ? Infinity : Number(found);
}

/** Memory that this process may use, in bytes. */
export function memoryLimit(): number {
  const constrained = process.constrainedMemory();
  // Without a limit it is zero, or more than exists.
  return Math.min(totalmem(), constrained === 0 ? Infinity : constrained);
}
