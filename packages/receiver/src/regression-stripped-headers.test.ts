/** What a thief of one request can do to it: change what no signature covers, take headers away, and wait. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { signBody, signRequest } from "@markethook/protocol";

import { signTestRequest } from "./testing.ts";
import { verify } from "./verify-sync.ts";
import type { VerifyOptions } from "./verify-steps.ts";

const SECRET = "k7Qm2XvB9sLtYwR4nHcJ6pZdGfA8eUx1iOoK3MqVbNyT5WhC";
const NEXT = "Zx81hTqWmN4bVcR7yLpKsJ2gFdA9eUo3iXkB6nMvQtYw5HzC";
const TEXT = "an imported secret, not base64!";
const NOW = 1_770_000_000;
const now = () => NOW * 1000;
const ID = "evt_1test000000";
const captured = signTestRequest({ event: "ping", secret: SECRET, now });

interface Told {
  code: string;
  cause: string | undefined;
}

/** With these headers set, or with null taken away. */
function judge(
  changes: Record<string, string | null>,
  options: VerifyOptions = {},
  secrets: string | string[] = SECRET,
  request = captured,
): Told {
  const headers = Object.entries({ ...request.headers, ...changes }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  const result = verify(request.body, headers, secrets, { now, ...options });
  if (result.ok) return { code: "ok", cause: undefined };
  return { code: result.code, cause: result.causes[0]?.code };
}

const NO_STANDARD = { "webhook-id": null, "webhook-timestamp": null, "webhook-signature": null };
const NO_PLAIN = { "X-Service-Signature": null };
const SERVICE: VerifyOptions = { require: "service" };

test("a changed webhook-id is refused although X-Service-Signature fits the body", () => {
  const told = judge({ "webhook-id": "evt_2" });
  assert.deepEqual(told, { code: "signature_mismatch", cause: "standard_headers_changed" });
});

test("a changed webhook-timestamp is refused although X-Service-Signature fits the body", () => {
  assert.equal(judge({ "webhook-timestamp": String(NOW - 1) }).code, "signature_mismatch");
  assert.equal(judge({ "webhook-timestamp": "yesterday" }).code, "timestamp_malformed");
});

test("a signature that did not come is named, alone where another came", () => {
  const sentenceOf = (headers: [string, string][]): string => {
    const result = verify(captured.body, headers, SECRET, { now });
    return result.ok ? "ok" : result.sentence;
  };
  const required = "The header webhook-signature is required and did not come.";
  const plain = Object.entries(captured.headers).filter(([name]) => !(name in NO_STANDARD));
  assert.equal(sentenceOf(plain), required);
  assert.match(sentenceOf([]), /^.+ The header webhook-signature is required and did not come\.$/);
});

test("a request without its webhook-* headers, all or one, is refused", () => {
  const all = judge(NO_STANDARD);
  assert.deepEqual(all, { code: "signature_missing", cause: "standard_headers_missing" });
  assert.equal(judge({ "webhook-signature": null }).code, "signature_missing");
  assert.equal(judge({ "webhook-id": null }).code, "signature_malformed");
  assert.equal(judge({ "webhook-timestamp": null }).code, "signature_malformed");
  assert.equal(judge({ "webhook-signature": "" }).code, "signature_malformed");
});

test("a request of an hour ago, or of an hour ahead, is refused although all signatures fit", () => {
  for (const off of [-3600, 3600]) {
    const told = judge({}, { now: () => (NOW + off) * 1000 });
    assert.deepEqual(told, { code: "timestamp_out_of_tolerance", cause: "clock" });
  }
  assert.equal(judge({}, { now: () => (NOW + 3600) * 1000, toleranceSeconds: 3600 }).code, "ok");
});

test("an X-Service-Signature that came along must fit, although webhook-signature does", () => {
  const wrong = judge({ "X-Service-Signature": signBody(NEXT, captured.body) });
  assert.deepEqual(wrong, { code: "signature_mismatch", cause: undefined });
  assert.equal(judge({ "X-Service-Signature": "junk" }).code, "signature_malformed");
  const nextAlone = { ...NO_PLAIN, "X-Service-Signature-Next": "0".repeat(64) };
  assert.equal(judge(nextAlone).code, "signature_mismatch");
  assert.equal(judge(NO_PLAIN).code, "ok");
});

test("during a rotation one of the two secrets is enough, whichever the receiver has", () => {
  const rotating = signTestRequest({ event: "ping", secret: SECRET, nextSecret: NEXT, now });
  for (const secrets of [SECRET, NEXT, [NEXT, SECRET]]) {
    assert.equal(judge({}, {}, secrets, rotating).code, "ok");
    assert.equal(
      judge({ "webhook-id": "evt_2" }, {}, secrets, rotating).code,
      "signature_mismatch",
    );
    assert.equal(judge(NO_STANDARD, {}, secrets, rotating).code, "signature_missing");
  }
});

test("what requires service takes X-Service-Signature alone, for those who have no other", () => {
  const imported = signTestRequest({ event: "ping", secret: TEXT, now });
  assert.equal(imported.headers["webhook-signature"], undefined);
  assert.equal(judge({}, {}, TEXT, imported).code, "signature_missing");
  assert.equal(judge({}, SERVICE, TEXT, imported).code, "ok");
  assert.equal(judge(NO_STANDARD, SERVICE).code, "ok");
  assert.equal(judge(NO_PLAIN, SERVICE).code, "signature_missing");
  const forged = { "X-Service-Signature": signBody("another", captured.body) };
  assert.equal(judge({ ...NO_STANDARD, ...forged }, SERVICE).code, "signature_mismatch");
});

test("what requires service still refuses a webhook-signature that does not fit or is old", () => {
  assert.equal(judge({}, SERVICE).code, "ok");
  assert.equal(judge({ "webhook-id": "evt_2" }, SERVICE).code, "signature_mismatch");
  assert.equal(judge({ "webhook-timestamp": null }, SERVICE).code, "signature_malformed");
  const late = { ...SERVICE, now: () => (NOW + 3600) * 1000 };
  assert.equal(judge({}, late).code, "timestamp_out_of_tolerance");
});

test("rotating away from a secret that is not base64 needs the new secret, or service", () => {
  const rotating = signTestRequest({ event: "ping", secret: TEXT, nextSecret: NEXT, now });
  assert.equal(judge({}, {}, [TEXT, NEXT], rotating).code, "ok");
  assert.equal(judge({}, {}, NEXT, rotating).code, "ok");
  const old = judge({}, {}, TEXT, rotating);
  assert.deepEqual(old, { code: "signature_mismatch", cause: "secret_not_base64" });
  assert.equal(judge({}, SERVICE, TEXT, rotating).code, "ok");
});

test("a word for require that does not exist looks at no less than the default", () => {
  for (const word of ["either", "", "Service", null, 0]) {
    // What callers in plain JavaScript may pass.
    const options = { require: word as "service" };
    assert.equal(judge(NO_STANDARD, options).code, "signature_missing");
    assert.equal(judge({ "webhook-id": "evt_2" }, options).code, "signature_mismatch");
  }
});

test("a signature made for another id does not fit because both came", () => {
  const other = signRequest({ current: SECRET }, "evt_2", NOW, captured.body).standard ?? "";
  const value = `${other} v1,${Buffer.alloc(32).toString("base64")}`;
  assert.equal(judge({ "webhook-signature": value, "webhook-id": ID }).code, "signature_mismatch");
});
