import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import * as fc from "fast-check";
import { hashToken, isApiKeyForm, makeApiKey } from "./token.ts";

test("a key is mh_, 40 random characters and 6 of checksum, and is recognised", () => {
  const key = makeApiKey(randomBytes);
  assert.match(key, /^mh_[0-9A-Za-z]{46}$/);
  assert.ok(isApiKeyForm(key));
  assert.notEqual(makeApiKey(randomBytes), key);
});

test("bytes that would favour some characters are not used", () => {
  let draws = 0;
  const key = makeApiKey((size) => {
    draws += 1;
    return new Uint8Array(size).fill(draws === 1 ? 255 : 61);
  });
  assert.equal(draws, 2);
  assert.ok(key.startsWith(`mh_${"z".repeat(40)}`));
});

test("no single changed character gets past the checksum", () => {
  const key = makeApiKey(randomBytes);
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: key.length - 1 }),
      fc.string({ minLength: 1, maxLength: 1 }),
      (at, by) => {
        fc.pre(key[at] !== by);
        assert.equal(isApiKeyForm(key.slice(0, at) + by + key.slice(at + 1)), false);
      },
    ),
    { numRuns: 500 },
  );
  assert.equal(isApiKeyForm(key.slice(0, -1)), false);
  assert.equal(isApiKeyForm(""), false);
});

test("what is stored of a key is its SHA-256 in hex", () => {
  assert.equal(
    hashToken("mh_test"),
    "7197398e60a3fd6fa5b7cb4098eb4ee9d9bb8b6e262a2c0aedac0892837d4636",
  );
});
