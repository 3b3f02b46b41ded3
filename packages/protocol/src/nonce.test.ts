import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import * as fc from "fast-check";
import { createRandomPool, isNonce, makeNonce } from "./nonce.ts";

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

/** Counts up in four bytes, so that every aligned four bytes of it are different. */
function countingSource(): { source: (size: number) => Uint8Array; drawn: () => number } {
  let counter = 0;
  let draws = 0;
  const source = (size: number): Uint8Array => {
    draws += 1;
    const bytes = Buffer.alloc(size);
    for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32BE((counter += 1), at);
    return bytes;
  };
  return { source, drawn: () => draws };
}

test("no byte is ever handed out twice, whatever the sizes", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 60 }),
      (sizes) => {
        const pool = createRandomPool(countingSource().source);
        const seen = new Set<number>();
        for (const quarter of sizes) {
          const bytes = Buffer.from(pool(quarter * 4));
          assert.equal(bytes.length, quarter * 4);
          for (let at = 0; at < bytes.length; at += 4) {
            const value = bytes.readUInt32BE(at);
            assert.ok(value > 0 && !seen.has(value));
            seen.add(value);
          }
        }
      },
    ),
    { numRuns: 50 },
  );
});

test("what was handed out stays as it was when the pool is filled again", () => {
  const pool = createRandomPool(countingSource().source);
  const first = pool(12);
  const copy = Uint8Array.from(first);
  for (let round = 0; round < 2000; round += 1) pool(12);
  assert.deepEqual(Uint8Array.from(first), copy);
});

test("a source that reuses its own buffer does not reach into what was handed out", () => {
  const own = Buffer.alloc(8192);
  let fill = 0;
  const pool = createRandomPool(() => own.fill((fill += 1)));
  const first = pool(8192);
  pool(8192);
  assert.equal(first[0], 1);
});

test("many small requests cost one draw, and one larger than the pool a draw of its own", () => {
  const { source, drawn } = countingSource();
  const pool = createRandomPool(source);
  for (let round = 0; round < 682; round += 1) pool(12);
  assert.equal(drawn(), 1);
  assert.equal(pool(10_000).length, 10_000);
  assert.equal(drawn(), 2);
});
