import {
  DEFAULT_SERVICE_NAME,
  ERRORS,
  type HeaderNames,
  headerNames,
  MarkethookError,
  STANDARD_HEADERS,
  WEBHOOK_VERSION,
} from "@markethook/protocol";

import { type Cause, cause } from "./cause.ts";
import { diagnose } from "./diagnose.ts";
import { type HeaderReader, readHeaders, type ReceivedHeaders } from "./headers.ts";
import { parseEvent } from "./parse-event.ts";
import type {
  SignatureMatch,
  Verified,
  VerifyFailure,
  VerifyFailureCode,
  VerifyResult,
} from "./result.ts";
import {
  type Candidates,
  collectSignatures,
  matchSignatures,
  type SignatureMatches,
} from "./signatures.ts";

export interface VerifyOptions {
  /** The `{Service}` of `X-{Service}-Signature`. Default `Service`. */
  serviceName?: string;
  /**
   * How far `webhook-timestamp` may be from now, in seconds, either way. Default 300. It matters only where
   * `webhook-signature` is what a request is accepted for: `X-{Service}-Signature` covers no time of sending.
   */
  toleranceSeconds?: number;
  /** Unix milliseconds. Default `Date.now`. */
  now?: () => number;
  /**
   * `either` (default): one fitting signature of either style is enough. `standard`: `webhook-signature` must fit,
   * which also covers `webhook-id` and the time of sending, and so bounds replays.
   */
  require?: "either" | "standard";
  /** Look for likely causes when a signature does not fit. Default true; costs about ten times the verifying. */
  explain?: boolean;
}

/**
 * Verifies a request: raw bytes and headers in, typed event out. Nothing is parsed for the caller before a
 * signature has fitted one of the secrets (of several secrets any will do, as during a rotation). Never throws.
 */
export function verify(
  body: Uint8Array,
  headers: ReceivedHeaders,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): VerifyResult {
  // Callers in plain JavaScript pass parsed bodies here. ArrayBuffer.isView also knows other realms' arrays.
  if (!ArrayBuffer.isView(body)) return failure("raw_body_missing");
  const keys = usableSecrets(secrets);
  if (keys === null) return failure("secret_missing");

  const reader = readHeaders(headers);
  const names = headerNames(options.serviceName ?? DEFAULT_SERVICE_NAME);
  // Before the signature: another version may sign in another way, and "mismatch" would mislead.
  const version = reader.all(names.version);
  if (version.some((value) => value !== WEBHOOK_VERSION)) return failure("version_unsupported");

  const found = collectSignatures(reader, names, options.require ?? "either");
  if (found.refusal) return failure(found.refusal.code, found.refusal.sentence);
  const matches = matchSignatures(body, found, keys);
  const late = secondsOff(found.timestamp, options);
  const fresh = Math.abs(late) <= (options.toleranceSeconds ?? 300);
  const accepted = [...matches.plain, ...(fresh ? matches.standard : [])];
  if (accepted.length === 0) {
    const explain = () =>
      options.explain === false ? [] : diagnose({ body, headers: reader, names, secrets: keys });
    return refused(found, matches, late, explain, options);
  }
  return read(body, reader, names, accepted);
}

/**
 * As `verify`, but throws a `MarkethookError` whose `code` is the failure's, and whose `detail.detail` says what
 * is wrong together with the likeliest cause.
 */
export function verifyOrThrow(
  body: Uint8Array,
  headers: ReceivedHeaders,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Verified {
  const result = verify(body, headers, secrets, options);
  if (result.ok) return result;
  const [likeliest] = result.causes;
  throw new MarkethookError(result.code, {
    detail: likeliest ? `${ERRORS[result.code].title} ${likeliest.sentence}` : result.sentence,
    ...(result.pointer === undefined ? {} : { pointer: result.pointer }),
    cause: result,
  });
}

/** Null unless every secret is there: an HMAC under an empty key is one that anybody can make. */
export function usableSecrets(secrets: unknown): string[] | null {
  const list: unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  const usable = list.filter((secret) => typeof secret === "string" && secret.trim() !== "");
  // The filter has left strings only.
  return usable.length > 0 && usable.length === list.length ? (usable as string[]) : null;
}

function secondsOff(timestamp: number, options: VerifyOptions): number {
  return Math.floor((options.now ?? Date.now)() / 1000) - timestamp;
}

function refused(
  found: Candidates,
  matches: SignatureMatches,
  late: number,
  explain: () => Cause[],
  options: VerifyOptions,
): VerifyFailure {
  if (matches.standard.length > 0) {
    const milliseconds = found.timestamp > 100_000_000_000;
    const detail = `It says ${Math.abs(late)} seconds ${late > 0 ? "ago" : "ahead"}.`;
    return failure("timestamp_out_of_tolerance", undefined, [
      milliseconds ? cause("timestamp_in_milliseconds") : cause("clock", detail),
    ]);
  }
  const [problem] = found.problems;
  if (found.plain.length + found.standard.length > 0) {
    return failure("signature_mismatch", undefined, explain());
  }
  if (problem) return failure(problem.code, problem.sentence, explain());
  const wanted =
    options.require === "standard" ? ` ${STANDARD_HEADERS.signature} is required.` : "";
  return failure("signature_missing", sentenceOf("signature_missing") + wanted, explain());
}

function read(
  body: Uint8Array,
  headers: HeaderReader,
  names: HeaderNames,
  matches: SignatureMatch[],
): VerifyResult {
  const parsed = parseEvent(body);
  if (parsed.kind === "invalid") {
    const { code, pointer, expected } = parsed;
    const sentence = `${sentenceOf(code)} At "${pointer}": ${expected} was expected.`;
    return { ...failure(code, sentence), pointer };
  }
  const attempt = headers.one(names.attempt) ?? "";
  return {
    ok: true,
    ...parsed,
    id: headers.one(STANDARD_HEADERS.id),
    webhookId: headers.one(names.hookId),
    resourceId: headers.one(names.resourceId),
    deliveryId: headers.one(names.deliveryId),
    attempt: /^[1-9][0-9]{0,8}$/.test(attempt) ? Number(attempt) : undefined,
    matches,
  };
}

function sentenceOf(code: VerifyFailureCode): string {
  return `${ERRORS[code].title} ${ERRORS[code].advice}`;
}

function failure(
  code: VerifyFailureCode,
  sentence: string = sentenceOf(code),
  causes: readonly Cause[] = [],
): VerifyFailure {
  return { ok: false, code, sentence, causes };
}
