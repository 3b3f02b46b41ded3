import assert from "node:assert/strict";
import { test } from "node:test";
import { headerNames, isServiceName, isSignatureHeader, STANDARD_HEADERS } from "./header-names.ts";

test("a service's name stands between X- and the rest of every name", () => {
  assert.deepEqual(headerNames("Block-Market"), {
    version: "X-Block-Market-Webhook-Version",
    signature: "X-Block-Market-Signature",
    signatureNext: "X-Block-Market-Signature-Next",
    hookId: "X-Block-Market-Hook-Id",
    resourceId: "X-Block-Market-Resource-Id",
    deliveryId: "X-Block-Market-Delivery-Id",
    attempt: "X-Block-Market-Attempt",
  });
});

test("headers with a signature are known whatever the service is called, and no others", () => {
  for (const service of ["Service", "Block-Market"]) {
    const signed = Object.entries({ ...headerNames(service), standard: STANDARD_HEADERS.signature })
      .filter(([, name]) => isSignatureHeader(name))
      .map(([key]) => key);
    assert.deepEqual(signed, ["signature", "signatureNext", "standard"]);
  }
  for (const name of [STANDARD_HEADERS.id, STANDARD_HEADERS.timestamp, "Content-Type"]) {
    assert.equal(isSignatureHeader(name), false, name);
  }
});

test("a service's name is letters and digits, single hyphens between them, 64 characters at most", () => {
  for (const name of ["Service", "a", "A1-b2-C3", "x".repeat(64)]) {
    assert.ok(isServiceName(name), name);
  }
  for (const name of ["", "-a", "a-", "a--b", "a b", "a_b", "ä", "a\r\nX: y", "x".repeat(65)]) {
    assert.equal(isServiceName(name), false, JSON.stringify(name));
  }
});
