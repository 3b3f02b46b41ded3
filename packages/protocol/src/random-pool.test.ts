import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createRandomPool } from "./random-pool.ts";

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
