import { isMarkethookError } from "@markethook/protocol";

/** By name: an error of a database's thread has lost its class. */
const OF_VALUES: ReadonlySet<string> = new Set(["TypeError", "RangeError", "SyntaxError"]);
/** PostgreSQL: data that a column or a key does not accept. */
const POSTGRES = /^2[23]\d{3}$/;
/** SQLite; the last byte of an extended code is the plain code. */
const CONSTRAINT = 19;

/** True for errors of code that reads a value: another value could be read. */
export function isOfContent(error: unknown): error is Error {
  return error instanceof Error && OF_VALUES.has(error.name);
}

/**
 * True if the content of one row is at fault, and nothing was stored: without that row, the same work succeeds. False
 * for any other fault of a database.
 */
export function isAboutRows(error: unknown): boolean {
  const fault = isMarkethookError(error)
    ? error.detail.nothingStored === true && error.detail.cause
    : error;
  if (!(fault instanceof Error)) return false;
  const { code, errcode } = fault as { code?: unknown; errcode?: unknown }; // Those of databases have them.
  return (
    isOfContent(fault) ||
    (typeof code === "string" && POSTGRES.test(code)) ||
    (typeof errcode === "number" && errcode % 256 === CONSTRAINT)
  );
}
