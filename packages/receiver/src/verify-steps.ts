import {
  DEFAULT_SERVICE_NAME,
  type HeaderNames,
  headerNames,
  STANDARD_HEADERS,
  WEBHOOK_VERSION,
} from "@markethook/protocol/header-names";

import type { Cause, CauseCode } from "./cause.ts";
import { sentenceOf } from "./error.ts";
import { type HeaderReader, readHeaders, type ReceivedHeaders } from "./headers.ts";
import { parseEvent } from "./parse-event.ts";
import type { SignatureMatch, VerifyFailure, VerifyFailureCode, VerifyResult } from "./result.ts";
import { judgeSignatures, type RequiredStyle, type SignatureRefusal } from "./judge-signatures.ts";
import {
  type Candidates,
  collectSignatures,
  type ExpectedMac,
  expectedMacs,
  matchSignatures,
  type SignatureMatches,
} from "./signatures.ts";

/** A request whose signature does not fit. */
export interface Suspect {
  body: Uint8Array<ArrayBuffer>;
  headers: HeaderReader;
  names: HeaderNames;
  secrets: readonly string[];
}

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
   * that have `X-{Service}-Signature` only. Nothing then covers `webhook-id` or the time of sending, and anyone who
   * captured a request can replay it for ever, under any id.
   */
  require?: RequiredStyle;
}

/** A request whose signatures are still to be compared, with the HMACs that this needs. */
interface Begun {
  macs: ExpectedMac[];
  found: Candidates;
  suspect: Suspect;
  options: VerifyOptions;
}

/** A request that was refused for its signatures, before anybody looked for causes. */
interface Refused {
  refusal: SignatureRefusal;
  matches: SignatureMatches;
  suspect: Suspect;
}

const NOT_BYTES =
  "The body given is not bytes. Give a Uint8Array of what came: `new TextEncoder().encode(text)` of a text, `new Uint8Array(buffer)` of an ArrayBuffer. Of a parsed body the bytes are gone.";

/**
 * Verifying is written once, in three steps, for Node's crypto, which computes HMACs at once, and for Web Crypto, which
 * does so behind a promise: `begin`, `settle` with the HMACs, and where that did not accept, `refused` with causes.
 */
export function begin(
  /** Null where what was given as such is not bytes. */
  body: Uint8Array<ArrayBuffer> | null,
  headers: ReceivedHeaders,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Begun | VerifyFailure {
  if (body === null) return failure("raw_body_missing", NOT_BYTES);
  const keys = usableSecrets(secrets);
  if (keys === null) return failure("secret_missing");

  const reader = readHeaders(headers);
  const names = namesOf(options.serviceName ?? DEFAULT_SERVICE_NAME);
  // Before the signature: another version may sign in another way, and "mismatch" would mislead.
  const version = reader.all(names.version);
  if (version.some((value) => value !== WEBHOOK_VERSION)) return failure("version_unsupported");

  const found = collectSignatures(reader, names);
  if (found.refusal) return failure(found.refusal.code, found.refusal.sentence);
  const suspect = { body, headers: reader, names, secrets: keys };
  return { macs: expectedMacs(body, found, keys), found, suspect, options };
}

export function settle(begun: Begun, macs: readonly string[]): VerifyResult | Refused {
  const { found, suspect, options } = begun;
  const { body, headers, names, secrets } = suspect;
  const matches = matchSignatures(found, begun.macs, macs);
  const judged = judgeSignatures({
    found,
    matches,
    secrets,
    names,
    // Any other value, as plain JavaScript may pass it, must not weaken the check.
    required: options.require === "service" ? "service" : "standard",
    late: Math.floor((options.now ?? Date.now)() / 1000) - found.timestamp,
    toleranceSeconds: options.toleranceSeconds ?? 300,
  });
  if ("accepted" in judged) return read(body, headers, names, judged.accepted);
  const refusal = { refusal: judged.refusal, matches, suspect };
  // A known cause needs no search.
  return judged.refusal.causes === null ? refusal : refused(refusal, []);
}

/** Causes of a request that nothing else explains. */
const BLAMES_SECRET: ReadonlySet<CauseCode> = new Set(["other_secret", "search_incomplete"]);

export function refused({ refusal, matches }: Refused, likely: readonly Cause[]): VerifyFailure {
  const { code, sentence, remark, causes, otherwise } = refusal;
  const whole = sentence ?? sentenceOf(code) + (remark === undefined ? "" : ` ${remark}`);
  if (causes !== null) return failure(code, whole, causes);
  if (matches.plain.length + matches.standard.length === 0) return failure(code, whole, likely);
  // The secret is right, since one of the signatures fits it.
  const others = likely.filter((found) => !BLAMES_SECRET.has(found.code));
  return failure(code, whole, others.length === 0 && otherwise ? [otherwise] : others);
}

const known = new Map<string, HeaderNames>();

/** A receiver has one name, seldom a second. */
function namesOf(serviceName: string): HeaderNames {
  let names = known.get(serviceName);
  if (names === undefined) {
    names = headerNames(serviceName);
    known.clear();
    known.set(serviceName, names);
  }
  return names;
}

/** Null unless every secret is there: an HMAC under an empty key is one that anybody can make. */
export function usableSecrets(secrets: unknown): string[] | null {
  const list: unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  const usable = list.filter((secret) => typeof secret === "string" && secret.trim() !== "");
  // The filter has left strings only.
  return usable.length > 0 && usable.length === list.length ? (usable as string[]) : null;
}

function read(
  body: Uint8Array<ArrayBuffer>,
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
  // Written out twice: copying members from one object to another would take longer than an HMAC.
  const id = headers.one(STANDARD_HEADERS.id);
  const webhookId = headers.one(names.hookId);
  const resourceId = headers.one(names.resourceId);
  const deliveryId = headers.one(names.deliveryId);
  const number = /^[1-9][0-9]{0,8}$/.test(attempt) ? Number(attempt) : undefined;
  return parsed.kind === "event"
    ? {
        ok: true,
        kind: "event",
        event: parsed.event,
        id,
        webhookId,
        resourceId,
        deliveryId,
        attempt: number,
        matches,
      }
    : {
        ok: true,
        kind: "unknown",
        name: parsed.name,
        envelope: parsed.envelope,
        id,
        webhookId,
        resourceId,
        deliveryId,
        attempt: number,
        matches,
      };
}

function failure(
  code: VerifyFailureCode,
  sentence: string = sentenceOf(code),
  causes: readonly Cause[] = [],
): VerifyFailure {
  return { ok: false, code, sentence, causes };
}
