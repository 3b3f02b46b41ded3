import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import * as fc from "fast-check";
import { makeSecret, standardKey } from "./secret.ts";

test("a secret is 48 letters and digits, and base64 of 36 bytes", () => {
  for (let round = 0; round < 200; round += 1) {
    const secret = makeSecret(randomBytes);
    assert.match(secret, /^[A-Za-z0-9]{48}$/);
    assert.equal(standardKey(secret)?.length, 36);
    assert.equal(standardKey(secret)?.toString("base64"), secret);
  }
});

test("every byte that is used stands for one letter, four bytes for each, and the other eight are thrown away", () => {
  const counts = new Map<string, number>();
  for (let byte = 0; byte < 256; byte += 1) {
    let draws = 0;
    const secret = makeSecret((size) => {
      draws += 1;
      return new Uint8Array(size).fill(draws === 1 ? byte : 0);
    });
    const letter = draws === 1 ? secret.charAt(0) : "thrown away";
    counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  assert.equal(counts.get("thrown away"), 8);
  counts.delete("thrown away");
  assert.equal(counts.size, 62);
  assert.deepEqual(new Set(counts.values()), new Set([4]));
});

test("bytes thrown away are replaced by further ones", () => {
  let draws = 0;
  const secret = makeSecret((size) => {
    draws += 1;
    const bytes = new Uint8Array(size).fill(255);
    if (draws > 1) bytes[0] = 1;
    return bytes;
  });
  assert.equal(secret, "B".repeat(48));
  assert.equal(draws, 49);
});

test("whsec_ in front is not part of the Standard Webhooks key", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 100 }), (bytes) => {
      const text = Buffer.from(bytes).toString("base64");
      assert.deepEqual(standardKey(text), Buffer.from(bytes));
      assert.deepEqual(standardKey(`whsec_${text}`), Buffer.from(bytes));
    }),
  );
});

test("a secret that is not plain base64 has no Standard Webhooks key", () => {
  for (const text of [
    "",
    "whsec_",
    "abc",
    "abcde",
    "ab-_",
    "ab c",
    "a===",
    "====",
    "=abc",
    "abcd\n",
    "whsec_whsec_abcd",
  ]) {
    assert.equal(standardKey(text), null, JSON.stringify(text));
  }
});
