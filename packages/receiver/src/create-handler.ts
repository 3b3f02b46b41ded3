/**
 * The handler of every host: method, raw bytes, secrets, verify, then the user's function. A host
 * supplies the request in this file's terms and writes out the answer. The user's `onEvent` and `onUnknown` are
 * entered on no other path than behind a verified request.
 */
import {
  DEFAULT_SERVICE_NAME,
  DELIVERY_CONTROL_HEADER,
  type DeliveryControl,
  headerNames,
} from "@markethook/protocol/header-names";

import type { Cause } from "./cause.ts";
import { MarkethookError, sentenceOf } from "./error.ts";
import { readHeaders, type ReceivedHeaders } from "./headers.ts";
import type { VerifiedEvent, VerifiedUnknown, VerifyFailureCode } from "./result.ts";
import { verify as explain } from "./explain.ts";
import { verify } from "./verify.ts";
import { usableSecrets, type VerifyOptions } from "./verify-steps.ts";

/** The answer of `onEvent`; nothing means 204. */
export interface HandlerAnswer {
  /** 2xx is taken as delivered. Default 204, or 422 with `abort` or `disable`. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** "Never send this one again", by `webhook-delivery: abort-message`. Means nothing next to a 2xx status. */
  abort?: boolean;
  /** "Stop this webhook", by `webhook-delivery: disable`. */
  disable?: boolean;
}

type MaybeAnswer = HandlerAnswer | void | Promise<HandlerAnswer | void>;

/**
 * The secrets of one webhook, so that one receiver can serve many. Both ids come from headers and are not
 * verified yet: use them to look up, nothing else. No secret, or null, refuses the request.
 */
export type SecretLookup = (
  webhookId: string | undefined,
  resourceId: string | undefined,
) => Secrets | Promise<Secrets>;
type Secrets = string | readonly string[] | null | undefined;

export type FailureCode =
  | VerifyFailureCode
  | "method_not_post"
  | "request_body_too_large"
  | "internal";

/** A request that was answered without entering `onEvent`. */
export interface Rejection {
  code: FailureCode;
  sentence: string;
  pointer?: string;
  causes: readonly Cause[];
}

export interface HandlerOptions extends VerifyOptions {
  secrets: string | readonly string[] | SecretLookup;
  onEvent: (verified: VerifiedEvent) => MaybeAnswer;
  /** A verified request with an event that this version does not know. Default: answered 204. */
  onUnknown?: (verified: VerifiedUnknown) => MaybeAnswer;
  /** For your log; a promise is waited for. Causes are looked for only where this is given. */
  onRejected?: (rejection: Rejection) => unknown;
  /**
   * Called with an error of `secrets`, `onEvent`, `onUnknown` or `onRejected`. The answer is 500, so that the sender
   * tries again. Default: `console.error`.
   */
  onError?: (error: unknown) => unknown;
  /** Largest body read, in bytes. Default 1 MiB. */
  maxBytes?: number;
}

export type ReadBody =
  | { kind: "bytes"; bytes: Uint8Array }
  /** Somebody else has read or parsed the body. */
  | { kind: "consumed" }
  | { kind: "too_large" }
  /** The sender went away; nobody waits for an answer. */
  | { kind: "aborted" };

export interface HostRequest {
  method: string;
  headers: ReceivedHeaders;
  readBody: (maxBytes: number) => Promise<ReadBody>;
}

export interface HostAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export const STATUS_BY_CODE: Readonly<Record<FailureCode, number>> = {
  secret_missing: 401,
  signature_missing: 401,
  signature_malformed: 401,
  signature_mismatch: 401,
  timestamp_malformed: 401,
  timestamp_out_of_tolerance: 401,
  version_unsupported: 400,
  envelope_invalid: 400,
  payload_invalid: 400,
  method_not_post: 405,
  request_body_too_large: 413,
  // Faults of the receiver, which are fixed there while the sender keeps trying.
  raw_body_missing: 500,
  internal: 500,
};

/**
 * Answers null where the sender has gone away. Throws a `MarkethookError` `secret_missing` at once if the secrets
 * are fixed and one of them is empty, so that a forgotten setting shows at the start and not at the first sale.
 */
export function createHandler(
  options: HandlerOptions,
): (request: HostRequest) => Promise<HostAnswer | null> {
  const { secrets } = options;
  if (typeof secrets !== "function" && usableSecrets(secrets) === null) {
    throw new MarkethookError("secret_missing");
  }
  return async (request) => {
    try {
      return await answer(request, options);
    } catch (error) {
      void report(error, options);
      return refusal("internal");
    }
  };
}

async function answer(request: HostRequest, options: HandlerOptions): Promise<HostAnswer | null> {
  const reject = async (
    code: Exclude<FailureCode, "internal">,
    rejection?: Rejection,
  ): Promise<HostAnswer> => {
    await options.onRejected?.(rejection ?? { code, sentence: sentenceOf(code), causes: [] });
    return refusal(code);
  };
  if (request.method !== "POST") return reject("method_not_post");
  const read = await request.readBody(options.maxBytes ?? 1024 * 1024);
  if (read.kind === "aborted") return null;
  if (read.kind === "too_large") return reject("request_body_too_large");
  if (read.kind === "consumed") return reject("raw_body_missing");

  const check = options.onRejected === undefined ? verify : explain;
  const secrets = await findSecrets(request.headers, options);
  const result = await check(read.bytes, request.headers, secrets ?? [], options);
  if (!result.ok) return reject(result.code, result);
  const answered =
    result.kind === "event" ? await options.onEvent(result) : await options.onUnknown?.(result);
  return accepted(answered ?? {});
}

async function findSecrets(headers: ReceivedHeaders, options: HandlerOptions): Promise<Secrets> {
  if (typeof options.secrets !== "function") return options.secrets;
  const names = headerNames(options.serviceName ?? DEFAULT_SERVICE_NAME);
  const reader = readHeaders(headers);
  return options.secrets(reader.one(names.hookId), reader.one(names.resourceId));
}

function accepted(wanted: HandlerAnswer): HostAnswer {
  const control = controlOf(wanted);
  const status = wanted.status ?? (control === null ? 204 : 422);
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new RangeError(`A handler answered with the status ${status}; it must be 200 to 599.`);
  }
  // Headers throws for names and values that no host could send, here, where it still becomes a 500.
  const headers = new Headers(wanted.headers ?? {});
  if (control !== null) headers.set(DELIVERY_CONTROL_HEADER, control);
  return { status, headers: Object.fromEntries(headers), body: "" };
}

function controlOf(wanted: HandlerAnswer): DeliveryControl | null {
  if (wanted.disable === true) return "disable";
  return wanted.abort === true ? "abort-message" : null;
}

function refusal(code: FailureCode): HostAnswer {
  return {
    status: STATUS_BY_CODE[code],
    headers: {
      "content-type": "text/plain; charset=utf-8",
      ...(code === "method_not_post" ? { allow: "POST" } : {}),
    },
    body: `${code}\n`,
  };
}

async function report(error: unknown, options: HandlerOptions): Promise<void> {
  try {
    // oxlint-disable-next-line no-console -- a handler's fault must not vanish where nobody asked to hear of it
    const tell: (error: unknown) => unknown = options.onError ?? console.error;
    await tell(error);
  } catch {
    // The answer is on its way and says 500 already.
  }
}
