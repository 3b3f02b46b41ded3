import { entry, type ErrorEntry } from "./error-entry.ts";

/** Errors of the receiver library. Apart, so that the library includes no others. */
export const RECEIVER_ERRORS = {
  raw_body_missing: entry(
    undefined,
    "The body was parsed before it was verified.",
    "Give the handler the raw bytes: register it before any JSON body parser.",
  ),
  signature_missing: entry(
    undefined,
    "The request has no signature header.",
    "Check the service name in the header, and that no proxy removes headers.",
  ),
  signature_malformed: entry(
    undefined,
    "The signature header is not 64 hexadecimal digits.",
    "Pass the header's value unchanged.",
  ),
  signature_mismatch: entry(
    undefined,
    "The signature does not fit the body and the secret.",
    "See `causes` for what is likely; do not act on the request.",
  ),
  secret_missing: entry(
    undefined,
    "No secret was given to verify with.",
    "Configure the webhook's secret; an empty one would accept forgeries.",
  ),
  version_unsupported: entry(
    undefined,
    "The request is of another webhook version.",
    "Update the receiver library.",
  ),
  timestamp_malformed: entry(
    undefined,
    "webhook-timestamp is not Unix seconds.",
    "Pass the header's value unchanged.",
  ),
  timestamp_out_of_tolerance: entry(
    undefined,
    "The request was signed too long ago, or in the future.",
    "Set the receiver's clock, or raise toleranceSeconds.",
  ),
  envelope_invalid: entry(
    undefined,
    "The verified body is not the envelope of a webhook.",
    "Report it to the marketplace: the signature was right, the content was not.",
  ),
  payload_invalid: entry(
    undefined,
    "The verified payload lacks a member or has one of another type.",
    "Report it to the marketplace: the signature was right, the content was not.",
  ),
  request_body_too_large: entry(
    413,
    "The request's body is larger than the receiver allows.",
    "Raise maxBytes if the sender is trusted.",
  ),
  method_not_post: entry(
    405,
    "Webhooks are posted.",
    "Point the webhook, not a browser, at this address.",
  ),
} as const satisfies Readonly<Record<string, ErrorEntry>>;
