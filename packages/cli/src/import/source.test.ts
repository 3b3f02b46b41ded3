import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import * as fc from "fast-check";
import { readLines } from "./source.ts";

const LONGEST_LINE = 256 * 1024;

async function* chunksOf(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let from = 0;
  for (const size of [...sizes, bytes.length]) {
    if (from < bytes.length) yield bytes.subarray(from, from + size);
    from += size;
  }
}

test("however a source is cut into chunks, lines and places are the same, and the hash has seen just them", async () => {
  const texts = fc
    .array(fc.constantFrom("a", "ü", "\r", "{}", "\n", "\n\n"))
    .map((all) => all.join(""));
  const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(texts, sizes, async (text, cuts) => {
      const bytes = Buffer.from(text);
      const hash = createHash("sha256");
      const seen: string[] = [];
      for await (const line of readLines(chunksOf(bytes, cuts), { longest: LONGEST_LINE, hash })) {
        seen.push(String(line.bytes));
        assert.equal(line.number, seen.length);
        const before = bytes.subarray(0, line.end);
        assert.equal(before.toString(), seen.join(""));
        const digest = createHash("sha256").update(before).digest("hex");
        assert.equal(hash.copy().digest("hex"), digest);
      }
      assert.equal(seen.join(""), text);
    }),
    { numRuns: 200 },
  );
});

test("a line that is too long is counted and not kept, and the next one is whole", async () => {
  const bytes = Buffer.from(`${"x".repeat(LONGEST_LINE * 2)}\nnext`);
  const lines = await Array.fromAsync(
    readLines(chunksOf(bytes, [1000, LONGEST_LINE]), {
      longest: LONGEST_LINE,
      after: { line: 7, bytes: 100 },
    }),
  );
  assert.deepEqual(
    lines.map((line) => [line.number, line.bytes?.toString(), line.end]),
    [
      [8, undefined, 100 + LONGEST_LINE * 2 + 1],
      [9, "next", 100 + bytes.length],
    ],
  );
});
