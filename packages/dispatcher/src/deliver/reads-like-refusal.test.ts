import assert from "node:assert/strict";
import { test } from "node:test";
import { readsLikeRefusal } from "./reads-like-refusal.ts";

test("bodies that say no are told from those that say yes, or nothing", () => {
  for (const body of [
    "invalid signature",
    "Error: secret is not set",
    "Signature verification failed",
    "The signature does not match.",
    "HMAC mismatch",
    "401 Unauthorized",
    "invalid_payload",
    "<html><title>404 Not Found</title><h1>404 Not Found</h1></html>",
    '{"ok":false}',
    '{"success": false, "message": "nope"}',
    '{"error":"bad secret"}',
    '{"errors":[{"detail":"x"}]}',
    '{"status":"error"}',
    '{"message":"Invalid signature"}',
  ]) {
    assert.notEqual(readsLikeRefusal(body), null, body);
  }
  for (const body of [
    "",
    "ok",
    "OK",
    "Signature valid",
    "signature ok, request accepted",
    "no errors",
    "received",
    "thank you for your event",
    '{"ok":true}',
    '{"ok":true,"message":"invalid signature of another request was ignored"}',
    '{"error":null,"errors":[]}',
    '{"status":"success"}',
    '{"received":true}',
    '"done"',
    "[]",
    "<html><title>My bot</title><p>It runs.</p></html>",
  ]) {
    assert.equal(readsLikeRefusal(body), null, body);
  }
});

test("what is shown of a body is short, on one line and without tags", () => {
  assert.equal(readsLikeRefusal(" <b>Invalid\n  signature</b>\n"), "Invalid signature");
  const long = readsLikeRefusal(`invalid signature ${"x".repeat(100_000)}`) ?? "";
  assert.equal(long.length, 200);
  assert.ok(long.endsWith("x…"));
  assert.equal(readsLikeRefusal(`${"x ".repeat(1000)} invalid signature`), null);
});
