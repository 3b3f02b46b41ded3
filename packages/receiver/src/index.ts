export type { Cause, CauseCode } from "./cause.ts";
export type { ReceivedHeaders } from "./headers.ts";
export type { RequiredStyle } from "./judge-signatures.ts";
export type {
  EventEnvelope,
  SignatureMatch,
  UnknownEnvelope,
  Verified,
  VerifiedEvent,
  VerifiedUnknown,
  VerifyFailure,
  VerifyFailureCode,
  VerifyResult,
} from "./result.ts";
export type { Details } from "@markethook/protocol/envelope";
export { MarkethookError, type ReceiverErrorCode } from "./error.ts";
export { verify, verifyOrThrow } from "./verify.ts";
export type { VerifyOptions } from "./verify-steps.ts";
export type {
  FailureCode,
  HandlerAnswer,
  HandlerOptions,
  Rejection,
  SecretLookup,
} from "./create-handler.ts";
