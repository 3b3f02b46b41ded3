import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { signBody } from "@markethook/protocol";
import { signTestRequest } from "@markethook/receiver/testing";
import { verifyEachSignature } from "@markethook/cli/verify";
import { verifyRequest } from "./verify-request.ts";

const SECRET = "ceI2aH0rqmTz41vNQ8yJ5XwLkB7sUdGfP3RoE9tVxAbCnMiZ";
const OTHER = "Zb".repeat(24);
const OPTIONS = { serviceName: "Bazaar", toleranceSeconds: Infinity };
const { body, headers } = signTestRequest({
  event: "ping",
  secret: SECRET,
  serviceName: "Bazaar",
});

/** The signed request with these headers changed; null takes one away. */
function judge(changes: Record<string, string | null>, secrets: readonly string[] = [SECRET]) {
  const changed = Object.entries({ ...headers, ...changes }).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  return verifyEachSignature(body, changed, secrets, OPTIONS);
}

function wrong(...of: Parameters<typeof judge>): readonly string[] {
  const verdict = judge(...of);
  return verdict.ok ? [] : (verdict.wrong ?? ["all"]);
}

test("a request whose signatures all fit is valid, also with one style alone", () => {
  assert.deepEqual(wrong({}), []);
  assert.deepEqual(wrong({ "webhook-signature": null }), []);
  assert.deepEqual(wrong({ "X-Bazaar-Signature": null }), []);
});

test("a wrong signature is named, whichever header it stands in, though the other one fits", () => {
  const stranger = signBody(OTHER, body);
  assert.deepEqual(wrong({ "X-Bazaar-Signature": stranger }), ["X-Bazaar-Signature"]);
  assert.deepEqual(wrong({ "X-Bazaar-Signature": "sha256=abc" }), ["X-Bazaar-Signature"]);
  const standard = `v1,${Buffer.alloc(32).toString("base64")}`;
  assert.deepEqual(wrong({ "webhook-signature": standard }), ["webhook-signature"]);
  assert.deepEqual(wrong({ "webhook-timestamp": "yesterday" }), ["webhook-signature"]);
  assert.deepEqual(wrong({ "X-Bazaar-Signature": stranger, "webhook-signature": standard }), [
    "all",
  ]);
});

test("during a rotation a signature of the secret that was not given is not wrong, unless both were", () => {
  const next = { "X-Bazaar-Signature-Next": signBody(OTHER, body) };
  assert.deepEqual(wrong(next), []);
  assert.deepEqual(wrong(next, [SECRET, OTHER]), []);
  assert.deepEqual(wrong(next, [SECRET, "c".repeat(48)]), ["X-Bazaar-Signature-Next"]);
  const rotating = signTestRequest({ event: "ping", secret: SECRET, nextSecret: OTHER });
  for (const secrets of [[SECRET], [OTHER], [OTHER, SECRET]]) {
    const pairs = Object.entries(rotating.headers);
    const verdict = verifyEachSignature(rotating.body, pairs, secrets, { serviceName: "Service" });
    assert.ok(verdict.ok);
  }
});

test("an imported secret that is not base64 is not wrong because webhook-signature is the new one's", () => {
  const imported = "an old secret, not base64!";
  const rotating = signTestRequest({ event: "ping", secret: imported, nextSecret: OTHER });
  for (const secrets of [[imported], [OTHER], [imported, OTHER]]) {
    const pairs = Object.entries(rotating.headers);
    const verdict = verifyEachSignature(rotating.body, pairs, secrets, { serviceName: "Service" });
    assert.ok(verdict.ok, JSON.stringify(verdict));
  }
});

test("the time is judged wherever webhook-signature fits", () => {
  const old = signTestRequest({ event: "ping", secret: SECRET, now: () => 1_700_000_000_000 });
  const options = { serviceName: "Service" };
  const whole = verifyEachSignature(old.body, Object.entries(old.headers), [SECRET], options);
  assert.equal(whole.ok ? "" : whole.code, "timestamp_out_of_tolerance");
  const plain = Object.entries(old.headers).filter(([name]) => name.startsWith("X-"));
  assert.ok(verifyEachSignature(old.body, plain, [SECRET], options).ok);
});

test("a pasted request with one wrong signature is told which one, with the likely cause", () => {
  const { "X-Bazaar-Signature": _, ...others } = headers;
  const causeOf = (signature: string) => {
    const pasted = { ...others, "x-bazaar-signature": signature };
    const answer = verifyRequest({ headers: pasted, body, secrets: [SECRET] }, "Bazaar");
    assert.ok(!answer.valid);
    return answer.cause;
  };
  const stranger = causeOf(signBody(OTHER, body));
  assert.equal(stranger.code, "signature_mismatch");
  assert.match(stranger.sentence, /^X-Bazaar-Signature does not fit .* webhook-signature fits\.$/);
  const decoded = Buffer.from(SECRET, "base64");
  const cause = causeOf(createHmac("sha256", decoded).update(body).digest("hex"));
  assert.equal(cause.code, "secret_decoded");
  assert.match(cause.sentence, /^X-Bazaar-Signature does not fit .* decoded from base64/);
});
