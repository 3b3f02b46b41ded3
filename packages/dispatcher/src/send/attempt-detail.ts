import { isUtf8 } from "node:buffer";
import { LIMITS, type RequestVariables } from "@markethook/protocol";
import type { AttemptDetail, ChatAttempt } from "@markethook/store";
import type { SendResult } from "./send-result.ts";

/** Every name is required, so a new one does not compile until it is stored. */
type Parts = {
  [Name in Exclude<keyof AttemptDetail, "url" | "erased">]-?: AttemptDetail[Name] | undefined;
};

/** Makes the stored text of an attempt: the values that made its request unique, and the answer. */
export function attemptDetail(
  /** `at`: Unix milliseconds. */
  { at, profile, shownUrl }: { at: number; profile: { no: number }; shownUrl: string },
  variables: Omit<RequestVariables, "url">,
  result: SendResult,
  chat?: ChatAttempt,
): string {
  const { nonce, timestamp, withDetails, signature, signatureNext, standard } = variables;
  const { headers, certificate } = result;
  const body = result.body.subarray(0, LIMITS.storedAnswerBytes);
  const isText = isUtf8(body);
  // One literal: it is made for each request, and spreads would be half of its cost. JSON leaves out what is undefined.
  const rest: Parts = {
    at,
    profile: profile.no,
    nonce,
    timestamp,
    withDetails,
    signature,
    signatureNext,
    standard,
    chat,
    timings: rounded(result.timings),
    sent: result.sent ? undefined : false,
    headers: headers.length > 0 ? headers : undefined,
    operatorDetail: result.detail ?? undefined,
    certificate,
    bodyTruncated: result.bodyTruncated || undefined,
    body: isText && body.length > 0 ? body.toString("utf8") : undefined,
    bodyBase64: isText ? undefined : body.toString("base64"),
  };
  return `{"url":${urlText(shownUrl)},${JSON.stringify(rest).slice(1)}`;
}

/**
 * Most shown URLs end in "…". One such character makes the engine keep a text, and all that is cut from it or put together
 * with it, with two bytes per character: twice the memory, and slower to hand on and to store. JSON can do without it.
 */
function urlText(shownUrl: string): string {
  if (!shownUrl.endsWith("…")) return JSON.stringify(shownUrl);
  return `${JSON.stringify(shownUrl.slice(0, -1)).slice(0, -1)}\\u2026"`;
}

export function chatAttemptDetail(
  /** Unix milliseconds. */
  at: number,
  profile: number,
  shownUrl: string,
  chat: ChatAttempt,
  result: SendResult,
): string {
  const unsigned = { nonce: "", timestamp: Math.floor(at / 1000), signature: "" };
  return attemptDetail({ at, profile: { no: profile }, shownUrl }, unsigned, result, chat);
}

/** Rounds to hundredths of a millisecond: more would be noise. */
export function rounded(timings: SendResult["timings"]): SendResult["timings"] {
  const round = (ms: number | null): number | null =>
    ms === null ? null : Math.round(ms * 100) / 100;
  return {
    dnsMs: round(timings.dnsMs),
    connectMs: round(timings.connectMs),
    tlsMs: round(timings.tlsMs),
    firstByteMs: round(timings.firstByteMs),
    totalMs: Math.round(timings.totalMs * 100) / 100,
  };
}
