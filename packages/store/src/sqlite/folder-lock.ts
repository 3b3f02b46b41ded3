import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { MarkethookError } from "@markethook/protocol";
import { isBusy, isDiskFull } from "./transient-fault.ts";

export const DATABASE_FILE = "markethook.sqlite";
const HOLDER_FILE = "holder.json";
/** Mode of the files, independent of the folder. */
const OWNERS_ALONE = 0o600;

/**
 * Makes the data folder if it is missing.
 *
 * @throws `data_dir_unusable`
 */
export function makeDataFolder(folder: string): void {
  try {
    makeWithParents(folder);
    // The slash gives a file in its place an error of its own: ENOTDIR.
    accessSync(`${folder}/`, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new MarkethookError("data_dir_unusable", { detail: whyUnusable(folder, cause), cause });
  }
}

/** Node's own `recursive` never returns where the kernel makes no folders, as in `/proc`. */
function makeWithParents(folder: string): void {
  if (existsSync(folder)) return;
  makeWithParents(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (cause) {
    // Another process may just have made it.
    if (!existsSync(folder)) throw cause;
  }
}

function whyUnusable(folder: string, cause: unknown): string {
  const { code = String(cause) } = cause as NodeJS.ErrnoException; // A system call's.
  if (code === "EACCES" || code === "EPERM") return `No permission for the data folder ${folder}.`;
  if (code === "EROFS") return `The data folder ${folder} is on a file system that is read-only.`;
  if (code === "EEXIST" || code === "ENOTDIR") {
    return `The data folder ${folder} is a file, or lies in one.`;
  }
  if (code === "ENOENT") return `The data folder ${folder} cannot be made there.`;
  return `The data folder ${folder} cannot be used (${code}).`;
}

/** Makes the folder and the database file if they are missing; returns the path of the file. */
export function prepareFolder(folder: string): string {
  makeDataFolder(folder);
  const path = join(folder, DATABASE_FILE);
  // Files that SQLite makes next to it get its mode.
  closeSync(openSync(path, "a", OWNERS_ALONE));
  return path;
}

/**
 * Allows one process per data folder. The lock is SQLite's own, on an empty database next to the real one: the
 * operating system frees it when the process dies in any way. A second file names the holder for the error message.
 */
export function lockFolder(folder: string): () => void {
  const lockFile = join(folder, "lock.sqlite");
  closeSync(openSync(lockFile, "a", OWNERS_ALONE));
  const lock = new DatabaseSync(lockFile, { timeout: 0 });
  const holderFile = join(folder, HOLDER_FILE);
  try {
    lock.exec("pragma locking_mode = exclusive");
    lock.exec("begin exclusive");
  } catch (cause) {
    lock.close();
    throw lockFault(cause, folder);
  }
  writeFileSync(
    holderFile,
    JSON.stringify({ pid: process.pid, host: hostname(), since: new Date().toISOString() }),
    { mode: OWNERS_ALONE },
  );
  return () => lock.close();
}

/** Returns the error to report when the lock could not be taken. */
export function lockFault(cause: unknown, folder: string): unknown {
  if (isDiskFull(cause)) {
    const detail = `SQLite: the disk of the data folder ${folder} is full.`;
    return new MarkethookError("storage_full", { detail, cause });
  }
  if (!isBusy(cause)) return cause;
  return new MarkethookError("data_dir_in_use", {
    detail: `The data folder ${folder} is used by ${describe(join(folder, HOLDER_FILE))}.`,
    cause,
  });
}

function describe(holderFile: string): string {
  try {
    // Whatever it is: it is only shown.
    const holder = JSON.parse(readFileSync(holderFile, "utf8")) as Record<string, unknown>;
    return `process ${String(holder["pid"])} on ${String(holder["host"])} since ${String(holder["since"])}`;
  } catch {
    return "another process";
  }
}
