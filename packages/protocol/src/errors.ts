import type { ErrorEntry } from "./error-entry.ts";
import { OWN_ERRORS } from "./own-errors.ts";
import { REQUEST_ERRORS } from "./request-errors.ts";

export type { ErrorEntry } from "./error-entry.ts";

/**
 * Every error code there is. A code is never reused with another meaning. `docs/reference/errors.md` has one section per
 * code and is tested against this table.
 */
export const ERRORS = { ...REQUEST_ERRORS, ...OWN_ERRORS } as const;

export type ErrorCode = keyof typeof ERRORS;

export function errorEntry(code: ErrorCode): ErrorEntry {
  return ERRORS[code];
}

/** Faults of the database. Their details name its host, files and settings. */
export const DATABASE_FAULTS: ReadonlySet<ErrorCode> = new Set([
  "outcome_unknown",
  "storage_full",
  "store_unavailable",
]);

export interface ErrorDetail {
  /** What exactly was wrong here; a sentence without secrets or payloads. */
  detail?: string;
  /** JSON Pointer or parameter name of the faulty part. */
  pointer?: string;
  /** For answers with Retry-After. */
  retryAfterSeconds?: number;
  /** Of a failed database: it is certain that nothing of the request was stored. */
  nothingStored?: true;
  cause?: unknown;
}

/** The error class of all packages; callers match on `code`. */
export class MarkethookError extends Error {
  readonly code: ErrorCode;
  readonly detail: ErrorDetail;

  constructor(code: ErrorCode, detail: ErrorDetail = {}) {
    const entry = errorEntry(code);
    super(
      `${detail.detail ?? entry.title} ${entry.advice}`,
      detail.cause === undefined ? {} : { cause: detail.cause },
    );
    this.name = "MarkethookError";
    this.code = code;
    this.detail = detail;
  }
}

/** True for a `MarkethookError` of any copy of this package, with this code if one is named. */
export function isMarkethookError(error: unknown, code?: ErrorCode): error is MarkethookError {
  if (!(error instanceof Error) || error.name !== "MarkethookError") return false;
  return code === undefined || (error as MarkethookError).code === code;
}
