import { constants, fstatSync, ftruncateSync, openSync, statSync, writeFileSync } from "node:fs";
import type { Stats } from "node:fs";
import { dirname } from "node:path";
import { usageFailure } from "../program/failure.ts";
import type { RejectedLine } from "./json-line.ts";

/** Without O_NONBLOCK, opening would wait for a reader if the file has become a pipe meanwhile. Windows has no such flag. */
const APPENDING =
  constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NONBLOCK ?? 0);
const OWNERS_ALONE = 0o600;

/**
 * Where rejected lines are written down, a JSON line each. It is opened at the first of them, and never removed. `keep`:
 * the bytes of an earlier run that stay; the rest will be written again. `source` is the imported file, or null for a
 * stream.
 * @throws CommandFailure where the path is something else than a file of its own.
 */
export function openRejectedFile(path: string, keep: number, source: string | null) {
  const before = statSync(path, { throwIfNoEntry: false });
  if (before !== undefined) check(before);
  // Fails now, and not at the first rejected line, when many records are imported.
  else checkFolder(dirname(path), path);
  let handle: number | null = null;
  let written = Math.min(keep, before?.size ?? 0);

  function check(stats: Stats): void {
    if (!stats.isFile()) {
      throw usageFailure(
        `${path} is not a regular file, so rejected lines are not written to it.`,
        "Name another file with --rejected.",
      );
    }
    const own = source === null ? undefined : statSync(source, { throwIfNoEntry: false });
    if (own?.ino === stats.ino && own.dev === stats.dev) {
      throw usageFailure("Rejected lines would overwrite the file itself.", "Name another file.");
    }
  }

  function opened(): number {
    if (handle !== null) return handle;
    const fresh = openSync(path, APPENDING, OWNERS_ALONE);
    const stats = fstatSync(fresh);
    check(stats);
    written = Math.min(written, stats.size);
    ftruncateSync(fresh, written);
    return (handle = fresh);
  }

  return {
    path,
    append(lines: readonly RejectedLine[]): void {
      if (lines.length === 0) return;
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
      writeFileSync(opened(), text);
      written += Buffer.byteLength(text);
    },
    /** How many bytes of it belong to this import so far. */
    bytes: (): number => written,
  };
}

function checkFolder(folder: string, path: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw usageFailure(
    `${path} cannot be written: there is no folder ${folder}.`,
    "Name another file with --rejected.",
  );
}
