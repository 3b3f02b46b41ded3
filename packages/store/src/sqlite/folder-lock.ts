import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isObject, jsonObject, MarkethookError } from "@markethook/protocol";
import { refuseMoved } from "./moved-mark.ts";
import { isBusy, isDiskFull, isOfSqlite } from "./transient-fault.ts";

export const DATABASE_FILE = "markethook.sqlite";
const LOG_FILE = `${DATABASE_FILE}-wal`;
const HOLDER_FILE = "holder.json";
const LOCK_FILE = "lock.sqlite";
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
  makeFile(path);
  return path;
}

function makeFile(path: string): void {
  try {
    closeSync(openSync(path, "a", OWNERS_ALONE));
  } catch (cause) {
    throw fileFault(cause, path);
  }
}

/** Why a file that was opened is not written. */
const UNWRITTEN: Readonly<Record<string, readonly ["storage_full" | "data_dir_unusable", string]>> =
  {
    EDQUOT: ["storage_full", "the disk quota of the service's user is used up"],
    EFBIG: ["data_dir_unusable", "the service's user may not make files of that size"],
    EIO: ["data_dir_unusable", "its disk fails"],
    ENOSPC: ["storage_full", "its disk is full"],
  };

/**
 * Returns the error to report when this user may not open a file of the folder, as one that another user restored, or
 * when it cannot be written.
 */
export function fileFault(cause: unknown, path: string): unknown {
  const { code = "" } = cause as NodeJS.ErrnoException; // A system call's.
  const unwritten = UNWRITTEN[code];
  if (unwritten !== undefined) {
    const detail = `${path} cannot be written: ${unwritten[1]}.`;
    return new MarkethookError(unwritten[0], { detail, cause });
  }
  if (code !== "EACCES" && code !== "EPERM") return cause;
  const detail = `No permission for ${path}: give it, and all other files of its folder, to the service's user.`;
  return new MarkethookError("data_dir_unusable", { detail, cause });
}

/**
 * For commands that make no database. Returns its file.
 * @throws `data_dir_unusable`
 */
export function requireDatabase(folder: string): string {
  const path = join(folder, DATABASE_FILE);
  if (existsSync(path)) return path;
  throw new MarkethookError("data_dir_unusable", { detail: `There is no ${path}.` });
}

/**
 * Allows one process per data folder. The lock is SQLite's own, on an empty database next to the real one: the
 * operating system frees it when the process dies in any way. A second file names the holder for the error message.
 *
 * @param movesTo for a move to PostgreSQL, which goes on where one to the same database was cut
 * @throws `data_dir_in_use`, `database_replaced`, `moved_to_postgresql`
 */
export function lockFolder(folder: string, movesTo: string | null = null): () => void {
  const lockFile = join(folder, LOCK_FILE);
  makeFile(lockFile);
  const lock = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    lock.exec("pragma locking_mode = exclusive");
    lock.exec("begin exclusive");
    refuseMoved(folder, movesTo);
    if (isReplaced(folder)) throw replacedFault(folder);
  } catch (cause) {
    lock.close();
    throw lockFault(cause, folder);
  }
  noteHolder(folder);
  return () => lock.close();
}

interface Files {
  database: string;
  log: string;
}

/**
 * Call it again when the database is open, which makes a log where there was none. The next process learns from it to which
 * file the log belongs, should this one be killed.
 */
export function noteHolder(folder: string): void {
  const files = filesIn(folder);
  const holder = { pid: process.pid, host: hostname(), since: new Date().toISOString(), files };
  const path = join(folder, HOLDER_FILE);
  try {
    writeFileSync(path, JSON.stringify(holder), { mode: OWNERS_ALONE });
  } catch (cause) {
    throw fileFault(cause, path);
  }
}

/**
 * True if the log is the one of another database. After a kill the log stays. If a backup is then put in the database's
 * place, SQLite would write that log into it: to neither state, or to a file that is malformed. If both files
 * differ, somebody has copied the folder.
 */
export function isReplaced(folder: string): boolean {
  const now = filesIn(folder);
  const before = readHolder(join(folder, HOLDER_FILE))["files"];
  if (now === null || !isObject(before) || before["log"] !== now.log) return false;
  return before["database"] !== now.database && statSync(join(folder, LOG_FILE)).size > 0;
}

function replacedFault(folder: string): MarkethookError {
  return new MarkethookError("database_replaced", {
    detail: `${join(folder, DATABASE_FILE)} is another file now, and ${LOG_FILE} next to it is the log of the one before.`,
  });
}

/** Null while there is no log. */
function filesIn(folder: string): Files | null {
  const [database, log] = [DATABASE_FILE, LOG_FILE].map((name) => fileAt(join(folder, name)));
  return database === undefined || log === undefined ? null : { database, log };
}

/**
 * Tells files apart; undefined where there is none, or where that cannot be known. The time is needed because a new file may
 * get the number of one that was deleted.
 */
function fileAt(path: string): string | undefined {
  try {
    const { ino, birthtimeNs } = statSync(path, { bigint: true });
    return `${ino} ${birthtimeNs}`;
  } catch {
    return undefined;
  }
}

/** Returns the error to report when the lock could not be taken. */
export function lockFault(cause: unknown, folder: string): unknown {
  if (isDiskFull(cause)) {
    const detail = `SQLite: the disk of the data folder ${folder} is full.`;
    return new MarkethookError("storage_full", { detail, cause });
  }
  if (!isBusy(cause)) {
    if (!isOfSqlite(cause)) return cause;
    const detail = `SQLite: ${join(folder, LOCK_FILE)} cannot be locked: ${cause.message}.`;
    return new MarkethookError("store_unavailable", { detail, cause });
  }
  return new MarkethookError("data_dir_in_use", {
    detail: `The data folder ${folder} is used by ${describe(join(folder, HOLDER_FILE))}.`,
    cause,
  });
}

function describe(holderFile: string): string {
  // Not checked, because it is only shown.
  const holder = readHolder(holderFile);
  if (!("pid" in holder)) return "another process";
  return `process ${String(holder["pid"])} on ${String(holder["host"])} since ${String(holder["since"])}`;
}

/** Empty where it cannot be read. */
function readHolder(holderFile: string): Record<string, unknown> {
  try {
    return jsonObject(readFileSync(holderFile, "utf8")) ?? {};
  } catch {
    return {};
  }
}
