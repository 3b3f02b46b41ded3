import {
  DEFAULT_SERVICE_NAME,
  ERRORS,
  type HeaderNames,
  headerNames,
  MarkethookError,
  STANDARD_HEADERS,
  WEBHOOK_VERSION,
} from "@markethook/protocol";

import type { Cause } from "./cause.ts";
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
import { judgeSignatures, type RequiredStyle, type SignatureRefusal } from "./judge-signatures.ts";
import { collectSignatures, matchSignatures, type SignatureMatches } from "./signatures.ts";

export interface VerifyOptions {
  /** The `{Service}` of `X-{Service}-Signature`. Default `Service`. */
  serviceName?: string;
  /** How far `webhook-timestamp` may be from now, in seconds, either way. Default 300. */
  toleranceSeconds?: number;
  /** Unix milliseconds. Default `Date.now`. */
  now?: () => number;
  /**
   * `standard` (default): `webhook-signature` must be there and fit, its time of sending must be near, and an
   * `X-{Service}-Signature` or `-Next` that is there must fit too. `service`: for senders, and for imported secrets,
   * that have `X-{Service}-Signature` only. Nothing then covers `webhook-id` or the time of sending, and whoever
   * captured a request can replay it for ever, under any id.
   */
  require?: RequiredStyle;
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

  const found = collectSignatures(reader, names);
  if (found.refusal) return failure(found.refusal.code, found.refusal.sentence);
  const matches = matchSignatures(body, found, keys);
  const judged = judgeSignatures({
    found,
    matches,
    secrets: keys,
    names,
    // Whatever else plain JavaScript passes is no leave to look at less.
    required: options.require === "service" ? "service" : "standard",
    late: Math.floor((options.now ?? Date.now)() / 1000) - found.timestamp,
    toleranceSeconds: options.toleranceSeconds ?? 300,
  });
  if ("refusal" in judged) {
    const explain = () =>
      options.explain === false ? [] : diagnose({ body, headers: reader, names, secrets: keys });
    return refused(judged.refusal, matches, explain);
  }
  return read(body, reader, names, judged.accepted);
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

function refused(
  { code, sentence, remark, causes, otherwise }: SignatureRefusal,
  { plain, standard }: SignatureMatches,
  explain: () => Cause[],
): VerifyFailure {
  const whole = sentence ?? sentenceOf(code) + (remark === undefined ? "" : ` ${remark}`);
  if (causes !== null) return failure(code, whole, causes);
  const likely = explain();
  if (plain.length + standard.length === 0) return failure(code, whole, likely);
  // The secret is right, since one of the signatures fits it.
  const others = likely.filter((found) => found.code !== "other_secret");
  return failure(code, whole, others.length === 0 && otherwise ? [otherwise] : others);
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
