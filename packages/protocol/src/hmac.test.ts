import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import * as fc from "fast-check";
import { type HmacKey, hmacKey, hmacSha256 } from "./hmac.ts";
import { CODE_POINT } from "./testing/code-point.ts";

const BOUNDARIES = [0, 1, 63, 64, 65, 128, 255];

test("equals the library's HMAC for any key and text", () => {
  const text = fc.oneof(fc.string({ unit: CODE_POINT }), fc.string({ unit: "grapheme" }));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), text, (key, message) => {
      check(key, message);
    }),
  );
  fc.assert(
    fc.property(text, text, (key, message) => {
      equal(hmacKey(key, "utf8"), Buffer.from(key), message);
    }),
  );
});

test("equals the library's HMAC for any bytes, at the borders of a block and beyond the scratch", () => {
  for (const size of [...BOUNDARIES, 65_471, 65_472, 65_473, 300_000]) {
    for (const keySize of BOUNDARIES) {
      check(Buffer.alloc(keySize, 7), new Uint8Array(size).fill(200));
      check(Buffer.alloc(keySize, 7), "é".repeat(size));
    }
  }
});

test("one signature leaves nothing for the next", () => {
  check(Buffer.from("first"), "a long message ".repeat(100));
  check(Buffer.from("second"), "short");
});

function check(key: Uint8Array, message: Uint8Array | string): void {
  equal(hmacKey(Buffer.from(key).toString("base64"), "base64"), key, message);
}

function equal(key: HmacKey, bytes: Uint8Array, message: Uint8Array | string): void {
  for (const encoding of ["hex", "base64"] as const) {
    assert.equal(
      hmacSha256(key, message, encoding),
      createHmac("sha256", bytes).update(message).digest(encoding),
    );
  }
}
