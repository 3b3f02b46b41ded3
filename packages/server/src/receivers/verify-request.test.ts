import assert from "node:assert/strict";
import { test } from "node:test";
import { signTestRequest } from "@markethook/receiver/testing";
import { verifyRequest } from "./verify-request.ts";

const SECRET = "a".repeat(48);
const signed = signTestRequest({
  event: "product.user.purchase",
  secret: SECRET,
  serviceName: "Bazaar",
  // Long ago: a pasted request is old.
  now: () => 1_700_000_000_000,
});

test("a request that was signed long ago verifies, by any of the secrets", () => {
  const { headers, body } = signed;
  assert.deepEqual(verifyRequest({ headers, body, secrets: ["other", SECRET] }, "Bazaar"), {
    valid: true,
    event: "product.user.purchase",
  });
});

test("what is wrong is told by its likeliest cause, with what to do", () => {
  const { headers, body } = signed;
  const printed = Buffer.from(JSON.stringify(JSON.parse(Buffer.from(body).toString()), null, 2));
  const reprinted = verifyRequest({ headers, body: printed, secrets: [SECRET] }, "Bazaar");
  assert.equal(reprinted.valid ? "" : reprinted.cause.code, "body_reprinted");
  const stranger = verifyRequest({ headers, body, secrets: ["b".repeat(48)] }, "Bazaar");
  assert.equal(stranger.valid ? "" : stranger.cause.code, "other_secret");
  // The library's list of causes is not here.
  assert.doesNotMatch(stranger.valid ? "" : stranger.cause.advice, /causes/);
  const none = verifyRequest({ headers: {}, body, secrets: [SECRET] }, "Bazaar");
  assert.ok(!none.valid);
  assert.equal(none.cause.code, "signature_missing");
  assert.ok(none.cause.sentence.length > 0 && none.cause.advice.length > 0);
});
