import { isMarkethookError } from "@markethook/protocol";

const BUSY = 5;
const IO_ERROR = 10;
const FULL = 13;
/** The last byte of an extended code is the kind of error. */
const KIND = 0xff;

/** Another process holds the lock. */
export function isBusy(error: unknown): boolean {
  return kindOf(error) === BUSY;
}

export function isDiskFull(error: unknown): boolean {
  return kindOf(error) === FULL;
}

export function isOfSqlite(error: unknown): error is Error {
  return kindOf(error) !== null;
}

/** Returns the code of a fault that passes with time and is not caused by the statement; null for any other. */
export function transientFault(error: unknown): "storage_full" | "store_unavailable" | null {
  if (isDiskFull(error)) return "storage_full";
  return kindOf(error) === IO_ERROR ? "store_unavailable" : null;
}

/**
 * SQLite's own refusal rolls the transaction back. After a fault of the disk it is unknown which bytes reached the
 * file.
 */
export function wasUndone(error: unknown): boolean {
  if (!isMarkethookError(error)) return false;
  const kind = kindOf(error.detail.cause);
  return kind !== null && kind !== IO_ERROR;
}

function kindOf(error: unknown): number | null {
  if (!(error instanceof Error)) return null;
  const { errcode } = error as { errcode?: unknown }; // Those of SQLite have one.
  return typeof errcode === "number" ? errcode & KIND : null;
}
