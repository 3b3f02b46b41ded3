import assert from "node:assert/strict";
import { test } from "node:test";
import { bucketOf, BUCKETS, keyAt, KeyTable } from "./key-table.ts";

/** Few different first bytes, so that many keys share a chain. */
function keyOf(no: number): Buffer {
  const key = Buffer.alloc(16);
  key.writeUInt16BE((no * 7919) % 37, 0);
  key.writeUInt32BE(no, 12);
  return key;
}

test("a key table knows what a map knows, while keys come and go", () => {
  const table = new KeyTable();
  const known = new Map<number, number>();
  let chance = 1;
  const below = (most: number): number => {
    chance = (chance * 48_271) % 2_147_483_647;
    return chance % most;
  };
  for (let step = 0; step < 20_000; step += 1) {
    const no = below(3000);
    if (known.has(no)) {
      table.delete(keyOf(no));
      known.delete(no);
    } else {
      table.add(keyOf(no), no * 1e7);
      known.set(no, no * 1e7);
    }
    assert.equal(table.size, known.size);
    const other = below(3000);
    assert.equal(table.get(keyOf(other)), known.get(other));
  }
  assert.ok(known.size > 1100, "it has grown");

  const taken = new Map<string, number>();
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    const { nos, keys } = table.take(bucket);
    for (const [index, no] of nos.entries()) {
      const key = keyAt(keys, index);
      assert.equal(bucketOf(key), bucket);
      taken.set(Buffer.from(key).toString("hex"), no);
    }
  }
  assert.equal(table.size, 0);
  const all = Array.from(known, ([no, row]) => [keyOf(no).toString("hex"), row] as const);
  assert.deepEqual(taken, new Map(all));
});

test("a key that is not there is not deleted, and no bucket has what was taken", () => {
  const table = new KeyTable();
  table.add(keyOf(1), 1);
  table.delete(keyOf(2));
  assert.deepEqual([table.size, table.get(keyOf(1))], [1, 1]);
  const bucket = bucketOf(keyOf(1));
  assert.deepEqual(table.take(bucket).nos, [1]);
  assert.deepEqual([table.take(bucket).nos, table.get(keyOf(1))], [[], undefined]);
});
