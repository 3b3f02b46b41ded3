import { isUtf8 } from "node:buffer";
import { LIMITS, type RequestVariables } from "@markethook/protocol";
import type { AttemptDetail, ChatAttempt } from "@markethook/store";
import type { SendResult } from "./send-result.ts";

/**
 * Makes the stored text of an attempt: the values that made its request unique, and the answer. It is JSON text of an
 * `AttemptDetail`, written member by member. Through an object it took 1.5 times as long.
 */
export function attemptDetail(
  /** `at`: Unix milliseconds. */
  { at, profile, shownUrl }: { at: number; profile: { no: number }; shownUrl: string },
  variables: RequestVariables,
  result: SendResult,
): string {
  return (
    `{"at":${at},"profile":${profile.no},"url":${narrow(JSON.stringify(shownUrl))}` +
    `,"nonce":"${variables.nonce}","timestamp":${variables.timestamp},"signature":"${variables.signature}"` +
    member("signatureNext", variables.signatureNext) +
    member("standard", variables.standard) +
    `${answer(result)}}`
  );
}

export function chatAttemptDetail(
  /** Unix milliseconds. */
  at: number,
  profile: number,
  shownUrl: string,
  chat: ChatAttempt,
  result: SendResult,
): string {
  return (
    `{"at":${at},"profile":${profile},"url":${narrow(JSON.stringify(shownUrl))}` +
    `,"nonce":"","timestamp":${Math.floor(at / 1000)},"signature":""` +
    `${member("chat", chat)}${answer(result)}}`
  );
}

/**
 * Most shown URLs end in "…". One such character makes the engine store the whole text with two bytes per character:
 * twice the memory, and slower to write.
 */
function narrow(json: string): string {
  return json.replace("…", String.raw`\u2026`);
}

function answer(result: SendResult): string {
  const { dnsMs, connectMs, tlsMs, firstByteMs, totalMs } = rounded(result.timings);
  return (
    `,"timings":{"dnsMs":${dnsMs},"connectMs":${connectMs},"tlsMs":${tlsMs}` +
    `,"firstByteMs":${firstByteMs},"totalMs":${totalMs}}` +
    (result.sent ? "" : ',"sent":false') +
    member("headers", result.headers.length > 0 ? result.headers : undefined) +
    member("operatorDetail", result.detail ?? undefined) +
    member("certificate", result.certificate) +
    member("bodyTruncated", result.bodyTruncated || undefined) +
    answerBody(result.body)
  );
}

function answerBody(whole: Buffer): string {
  const body = whole.subarray(0, LIMITS.storedAnswerBytes);
  if (body.length === 0) return "";
  return isUtf8(body)
    ? member("body", body.toString("utf8"))
    : member("bodyBase64", body.toString("base64"));
}

function member<Name extends keyof AttemptDetail>(name: Name, value: AttemptDetail[Name]): string {
  return value === undefined ? "" : `,"${name}":${JSON.stringify(value)}`;
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
