import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { jsonObject } from "@markethook/protocol";
import { usageFailure } from "../program/failure.ts";
import { readTally, type Tally } from "./tally.ts";

/** How far an import has come: everything up to here is stored. */
export interface ImportProgress {
  /** Address of the service that took the records. */
  api: string;
  /** Size of the whole file, when it was read. */
  size: number;
  bytes: number;
  line: number;
  /** SHA-256 of the first `bytes` of the file, in hex. */
  sha256: string;
  /** Length of the file of rejected lines at that point. */
  rejectedBytes: number;
  tally: Tally;
}

const FORMAT = 1;
const RESTART = "Give --restart to begin again: what is imported already stays as it is.";

export function progressPath(source: string): string {
  return `${source}.markethook-import.json`;
}

/** Null where there is none. @throws CommandFailure where it cannot be understood. */
export function readProgress(path: string): ImportProgress | null {
  if (!checkProgressPath(path)) return null;
  const progress = parseProgress(readFileSync(path, "utf8"));
  if (progress === null) {
    throw usageFailure(`${path} is not a progress file of this version.`, RESTART);
  }
  return progress;
}

/** In one step, so that a kill at any moment leaves the old or the new one. */
export function saveProgress(path: string, progress: ImportProgress): void {
  const next = `${path}.new`;
  const text = `${JSON.stringify({ format: FORMAT, ...progress })}\n`;
  checkProgressPath(path);
  const handle = openSync(next, REPLACING, 0o600);
  try {
    writeFileSync(handle, text, { flush: true });
  } finally {
    closeSync(handle);
  }
  renameSync(next, path);
}

/** Only what stands where `saveProgress` writes, and is a file. */
export function removeProgress(path: string): void {
  if (checkProgressPath(path)) rmSync(path);
}

/** Whether there is a file. @throws CommandFailure where there is something else, which must not be replaced. */
export function checkProgressPath(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (stats.isFile()) return true;
  throw usageFailure(
    `${path} is not a regular file, so the progress of this import cannot be kept there.`,
    "Move it away, or import the file from another folder.",
  );
}

/** Not through a link that somebody put there. Absent on Windows. */
const REPLACING =
  constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);

/** @throws CommandFailure where going on would be wrong. */
export function checkProgress(
  progress: ImportProgress,
  now: { api: string; sha256: string; source: string },
): void {
  if (progress.api !== now.api) {
    throw usageFailure(
      `This import was begun at ${progress.api}, not at ${now.api}.`,
      `Name that service by --api. ${RESTART}`,
    );
  }
  if (progress.sha256 !== now.sha256) {
    throw usageFailure(
      `${now.source} was changed since its first ${progress.line} lines were imported.`,
      RESTART,
    );
  }
}

function parseProgress(text: string): ImportProgress | null {
  const members = jsonObject(text) ?? {};
  const { api, size, bytes, line, sha256, rejectedBytes } = members;
  const tally = readTally(members["tally"]);
  const counts = [size, bytes, line, rejectedBytes];
  const whole = counts.every((count) => Number.isSafeInteger(count) && Number(count) >= 0);
  if (members["format"] !== FORMAT || tally === null || !whole) return null;
  if (typeof api !== "string" || typeof sha256 !== "string") return null;
  // Each member was looked at just now.
  return { api, size, bytes, line, sha256, rejectedBytes, tally } as ImportProgress;
}
