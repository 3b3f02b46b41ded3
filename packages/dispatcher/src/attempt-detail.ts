import { LIMITS, type RequestVariables } from "@markethook/protocol";
import type { AttemptDetail, ChatAttempt } from "@markethook/store";
import type { SendResult } from "./send/send-result.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** What is stored of an attempt: what made its request unique, and what came back. */
export function attemptDetail(
  /** Unix milliseconds. */
  at: number,
  profile: number,
  variables: RequestVariables,
  result: SendResult,
): AttemptDetail {
  const detail: AttemptDetail = {
    at,
    profile,
    url: variables.url,
    nonce: variables.nonce,
    timestamp: variables.timestamp,
    signature: variables.signature,
    timings: rounded(result.timings),
  };
  if (variables.signatureNext !== undefined) detail.signatureNext = variables.signatureNext;
  if (variables.standard !== undefined) detail.standard = variables.standard;
  addAnswer(detail, result);
  return detail;
}

export function chatAttemptDetail(
  /** Unix milliseconds. */
  at: number,
  profile: number,
  shownUrl: string,
  chat: ChatAttempt,
  result: SendResult,
): AttemptDetail {
  const detail: AttemptDetail = {
    at,
    profile,
    url: shownUrl,
    nonce: "",
    timestamp: Math.floor(at / 1000),
    signature: "",
    chat,
    timings: rounded(result.timings),
  };
  addAnswer(detail, result);
  return detail;
}

function addAnswer(detail: AttemptDetail, result: SendResult): void {
  if (result.headers.length > 0) detail.headers = result.headers;
  if (result.detail !== null) detail.operatorDetail = result.detail;
  if (result.bodyTruncated) detail.bodyTruncated = true;
  const body = result.body.subarray(0, LIMITS.storedAnswerBytes);
  if (body.length === 0) return;
  const text = decode(body);
  if (text === null) detail.bodyBase64 = body.toString("base64");
  else detail.body = text;
}

function decode(body: Buffer): string | null {
  try {
    return utf8.decode(body);
  } catch {
    return null;
  }
}

/** Hundredths of a millisecond: more would be noise. */
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
