import { execFileSync } from "node:child_process";
import { closeSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Left free for what the service still stores before the disk is full. */
const LEFT_BYTES = 256 * 1024;

/**
 * The start of a command that runs with a small disk mounted at the folder, in a namespace of its own: the disk is gone
 * when the last process in it ends.
 *
 * @param size as `mount` takes it, e.g. `24m`
 */
export const onSmallDisk = (folder: string, size: string): string[] => [
  "unshare",
  "--mount",
  ...(process.getuid?.() === 0 ? [] : ["--map-root-user"]),
  "sh",
  "-c",
  `mount -t tmpfs -o size=${size},mode=0700 tmpfs "$0" && exec "$@"`,
  folder,
];

/** Why this machine cannot do that, or null. */
export function whyNoSmallDisk(folder: string): string | null {
  const [command, ...args] = [...onSmallDisk(folder, "1m"), "true"];
  try {
    execFileSync(command, args, { stdio: "pipe", timeout: 10_000 });
    return null;
  } catch {
    return "a small disk needs Linux, and the right to mount it in a namespace of its own";
  }
}

/** Fills the disk but for little room; returns what gives the room back. */
export function fillDisk(folder: string): () => void {
  const path = join(folder, "filler");
  const file = openSync(path, "w");
  const part = Buffer.alloc(64 * 1024);
  const { bavail, bsize } = statfsSync(folder);
  for (let left = bavail * bsize - LEFT_BYTES; left > 0; left -= part.length) writeSync(file, part);
  closeSync(file);
  return () => rmSync(path);
}
