import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as fc from "fast-check";
import { Client } from "pg";
import { createTestDatabase } from "../testing/index.ts";
import { byteaArray, int2Array, int4Array, int8Array, textArray } from "./binary-array.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: Client;

before(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
after(async () => {
  await client.end();
  await database.drop();
});

/** What the server understood, printed by itself. */
async function echo(type: string, array: Buffer): Promise<unknown[]> {
  const { rows } = await client.query(
    `select coalesce(jsonb_agg(to_jsonb(v) order by n), '[]') as list from unnest($1::${type}[]) with ordinality as i (v, n)`,
    [array],
  );
  return rows[0].list as unknown[];
}

const orNull = <T>(values: fc.Arbitrary<T>) =>
  fc.array(fc.option(values, { nil: null }), { maxLength: 20 });

test("the server reads numbers of every width as they were, with nulls, to the ends of their range", async () => {
  const safe = fc.maxSafeInteger();
  await fc.assert(
    fc.asyncProperty(
      orNull(fc.integer({ min: -0x8000, max: 0x7fff })),
      orNull(fc.integer()),
      orNull(safe),
      async (small, middle, large) => {
        assert.deepEqual(await echo("int2", int2Array(small)), small);
        assert.deepEqual(await echo("int4", int4Array(middle)), middle);
        assert.deepEqual(await echo("int8", int8Array(large)), large);
      },
    ),
    { numRuns: 50 },
  );
  const ends = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0, -1, 2 ** 32, -(2 ** 32)];
  assert.deepEqual(await echo("int8", int8Array(ends)), ends);
});

test("the server reads texts as they were, with nulls, quotes and every script", async () => {
  // PostgreSQL's text has no U+0000, and halves of a pair never get this far.
  const text = fc.string({ unit: "grapheme" }).map((value) => value.replaceAll("\0", ""));
  await fc.assert(
    fc.asyncProperty(orNull(text), async (values) => {
      assert.deepEqual(await echo("text", textArray(values)), values);
    }),
    { numRuns: 50 },
  );
  const hard = ['"', "\\", "{}", "null", "NULL", "", " ", "a,b", "'", "🌾", "\n"];
  assert.deepEqual(await echo("text", textArray(hard)), hard);
});

test("an empty array is one", async () => {
  for (const [type, array] of [
    ["int8", int8Array([])],
    ["text", textArray([])],
  ] as const) {
    assert.deepEqual(await echo(type, array), []);
  }
});

test("the server reads bytes as their hexadecimal digits said", async () => {
  const digits = ["", "00", "ff00a1", "0123456789abcdef0123456789abcdef"];
  assert.deepEqual(
    await echo("bytea", byteaArray(digits)),
    digits.map((value) => `\\x${value}`),
  );
  assert.deepEqual(await echo("bytea", byteaArray([])), []);
});
