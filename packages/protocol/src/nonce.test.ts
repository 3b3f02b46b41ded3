import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import * as fc from "fast-check";
import { isNonce, makeNonce } from "./nonce.ts";

const twelveBytes = fc.uint8Array({ minLength: 12, maxLength: 12 });

test("a nonce is 16 characters of letters, digits, - and _ for any random bytes", () => {
  fc.assert(
    fc.property(twelveBytes, (bytes) => {
      const nonce = makeNonce(() => bytes);
      assert.match(nonce, /^[A-Za-z0-9_-]{16}$/);
      assert.ok(isNonce(nonce));
    }),
  );
});

test("no random bit is lost: different bytes make different nonces", () => {
  fc.assert(
    fc.property(twelveBytes, (bytes) => {
      const nonce = makeNonce(() => bytes);
      assert.deepEqual(new Uint8Array(Buffer.from(nonce, "base64url")), bytes);
    }),
  );
});

test("a nonce takes its bytes from the middle of a larger buffer, not from its start", () => {
  const large = Uint8Array.from({ length: 40 }, (_, index) => index);
  assert.equal(
    makeNonce(() => large.subarray(20, 32)),
    Buffer.from(large.subarray(20, 32)).toString("base64url"),
  );
});

test("every one of the 64 characters occurs, at every place", () => {
  const seen = Array.from({ length: 16 }, () => new Set<string>());
  for (let round = 0; round < 4000; round += 1) {
    [...makeNonce(randomBytes)].forEach((character, place) => seen[place]?.add(character));
  }
  assert.deepEqual(
    seen.map((characters) => characters.size),
    Array.from({ length: 16 }, () => 64),
  );
});

test("texts of another length or with other characters are no nonces", () => {
  for (const text of [
    "",
    "AbCdEfGhIjKlMnO",
    "AbCdEfGhIjKlMnOpq",
    "AbCdEfGhIjKlMn+/",
    "AbCdEfGhIjKlMnO\n",
    "AbCdEfGhIjKlMnOp\n",
    "ÄbCdEfGhIjKlMnOp",
  ]) {
    assert.equal(isNonce(text), false, JSON.stringify(text));
  }
});
