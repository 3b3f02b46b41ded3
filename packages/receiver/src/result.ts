import type { Envelope } from "@markethook/protocol/envelope";
import type { EventName } from "@markethook/protocol/event-names";
import { RECEIVER_ERRORS } from "@markethook/protocol/receiver-errors";

import type { Cause } from "./cause.ts";
import { MarkethookError, type ReceiverErrorCode } from "./error.ts";

/** An envelope of one of the specification's events; `event` tells which, and so the payload's type. */
export type EventEnvelope = { [Name in EventName]: Envelope<Name> }[EventName];

/** A verified envelope whose event this version of the library does not know. */
export interface UnknownEnvelope {
  event: string;
  /** Unix seconds of the event. */
  time: number;
  nonce: string;
  payload: Readonly<Record<string, unknown>>;
}

/** One signature that fits one of the given secrets. */
export interface SignatureMatch {
  /** The header it stood in, as this service spells it. */
  header: string;
  /** Which of the given secrets, counted from 0: 1 and above tell that an older or newer one was used. */
  secretIndex: number;
}

/** Facts from the headers. Only `id` is covered by a signature, and not with `require: "service"`. */
interface Delivered {
  ok: true;
  /** `webhook-id`: the event's id, the same at every retry and redelivery. Deduplicate on it. */
  id: string | undefined;
  /** Which webhook, from `X-{Service}-Hook-Id`. */
  webhookId: string | undefined;
  resourceId: string | undefined;
  deliveryId: string | undefined;
  /** Counted from 1. */
  attempt: number | undefined;
  /** Never empty. */
  matches: readonly SignatureMatch[];
}

export interface VerifiedEvent extends Delivered {
  kind: "event";
  event: EventEnvelope;
}

export interface VerifiedUnknown extends Delivered {
  kind: "unknown";
  name: string;
  envelope: UnknownEnvelope;
}

export type VerifyFailureCode = Extract<
  ReceiverErrorCode,
  | "raw_body_missing"
  | "secret_missing"
  | "version_unsupported"
  | "signature_missing"
  | "signature_malformed"
  | "signature_mismatch"
  | "timestamp_malformed"
  | "timestamp_out_of_tolerance"
  | "envelope_invalid"
  | "payload_invalid"
>;

export interface VerifyFailure {
  ok: false;
  code: VerifyFailureCode;
  /** What is wrong and what to do; holds neither secrets nor payload. */
  sentence: string;
  /** JSON Pointer into the body, for `envelope_invalid` and `payload_invalid`. */
  pointer?: string;
  /** Likely reasons of a failed signature, the most certain first. */
  causes: readonly Cause[];
}

export type Verified = VerifiedEvent | VerifiedUnknown;
export type VerifyResult = Verified | VerifyFailure;

/** Throws if the request was refused. */
export function orThrow(result: VerifyResult): Verified {
  if (result.ok) return result;
  const [likeliest] = result.causes;
  const { title } = RECEIVER_ERRORS[result.code];
  throw new MarkethookError(result.code, {
    detail: likeliest ? `${title} ${likeliest.sentence}` : result.sentence,
    ...(result.pointer === undefined ? {} : { pointer: result.pointer }),
    cause: result,
  });
}
