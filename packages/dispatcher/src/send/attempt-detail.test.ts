import assert from "node:assert/strict";
import { test } from "node:test";
import { serialize } from "node:v8";
import * as fc from "fast-check";
import { CODE_POINT } from "@markethook/protocol/testing";
import { attemptDetail, chatAttemptDetail } from "./attempt-detail.ts";
import { NOT_SENT, type SendResult } from "./send-result.ts";

const AT = 1_700_000_000_500;
const SHOWN = "https://a.example/…";
const variables = {
  url: 'https://a.example/hooks?q="\\',
  nonce: "AbCdEfGhIjKlMnOp",
  timestamp: 1_700_000_000,
  signature: "0f".repeat(32),
};
const timings = { dnsMs: 0.125, connectMs: 2, tlsMs: null, firstByteMs: 7.4567, totalMs: 8.4561 };
const ROUNDED = { dnsMs: 0.13, connectMs: 2, tlsMs: null, firstByteMs: 7.46, totalMs: 8.46 };

function detailOf(result: Partial<SendResult>, more: Record<string, string> = {}): unknown {
  const whole = { ...NOT_SENT, sent: true, timings, ...result };
  return JSON.parse(
    attemptDetail(
      { at: AT, profile: { no: 3 }, shownUrl: SHOWN },
      { ...variables, ...more },
      whole,
    ),
  );
}

test("an attempt's detail has what made its request unique and how long its phases took", () => {
  const expected = { at: AT, profile: 3, ...variables, url: SHOWN, timings: ROUNDED };
  assert.deepEqual(detailOf({}), expected);
  const signed = { signatureNext: "1e".repeat(32), standard: "v1,a= v1,b=" };
  assert.deepEqual(detailOf({}, signed), { ...expected, ...signed });
});

test("the stored text of an answer in ASCII has one byte per character, though its URL ends in …", () => {
  const about = { at: AT, profile: { no: 3 }, shownUrl: SHOWN };
  const text = attemptDetail(about, variables, { ...NOT_SENT, sent: true, timings });
  assert.ok(serialize(text).length < text.length + 16);
});

test("what a receiver answers stands in it as it came, whatever it is", () => {
  const text = fc.string({ unit: CODE_POINT, maxLength: 40 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 6 }),
      text,
      (headers, answer) => {
        const body = Buffer.from(answer);
        const detail = detailOf({ headers, body }) as { headers: unknown; body?: string };
        assert.deepEqual(detail.headers, headers);
        assert.equal(detail.body ?? "", body.toString("utf8"));
      },
    ),
  );
});

test("a body that is no text is kept as base64, and one that was cut short is said to be", () => {
  const detail = detailOf({ body: Buffer.from([0xff, 0x00]), bodyTruncated: true }) as object;
  assert.ok("bodyTruncated" in detail && detail.bodyTruncated === true);
  assert.ok("bodyBase64" in detail && detail.bodyBase64 === "/wA=");
  assert.ok(!("body" in detail));
});

test("an operator's detail is kept, and nothing is said of what was not there", () => {
  const detail = detailOf({ detail: 'the peer said "no"' }) as object;
  assert.deepEqual(Object.keys(detail).slice(-2), ["timings", "operatorDetail"]);
  assert.ok("operatorDetail" in detail && detail.operatorDetail === 'the peer said "no"');
});

test("of a request that never left it says so", () => {
  const detail = detailOf({ sent: false, category: "dns_failure" });
  const expected = { at: AT, profile: 3, ...variables, url: SHOWN, timings: ROUNDED };
  assert.deepEqual(detail, { ...expected, sent: false });
});

test("a chat's detail has the message that was sent and no signature", () => {
  const chat = { method: "POST", headers: [], body: '{"content":"ä"}' } as const;
  const sent = { ...chat, headers: [["content-type", "application/json"]] as [string, string][] };
  const text = chatAttemptDetail(AT, 1, "https://chat.example/…", sent, {
    ...NOT_SENT,
    sent: true,
    timings,
  });
  assert.deepEqual(JSON.parse(text), {
    at: AT,
    profile: 1,
    url: "https://chat.example/…",
    nonce: "",
    timestamp: 1_700_000_000,
    signature: "",
    chat: sent,
    timings: ROUNDED,
  });
});
