import { RECEIVER_ERRORS } from "@markethook/protocol/receiver-errors";

export type ReceiverErrorCode = keyof typeof RECEIVER_ERRORS;

/** What is wrong, and what to do. */
export function sentenceOf(code: ReceiverErrorCode): string {
  return `${RECEIVER_ERRORS[code].title} ${RECEIVER_ERRORS[code].advice}`;
}

/** Thrown by `verifyOrThrow`, and by making a handler without a secret. */
export class MarkethookError extends Error {
  readonly code: ReceiverErrorCode;
  /** `detail`: what exactly was wrong here. `pointer`: JSON Pointer of the faulty part of the body. */
  readonly detail: { detail?: string; pointer?: string };

  constructor(
    code: ReceiverErrorCode,
    { cause, ...detail }: { detail?: string; pointer?: string; cause?: unknown } = {},
  ) {
    super(detail.detail ?? sentenceOf(code), cause === undefined ? {} : { cause });
    this.name = "MarkethookError";
    this.code = code;
    this.detail = detail;
  }
}
