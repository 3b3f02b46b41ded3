import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { findJsonFault } from "./find-json-fault.ts";
import { createJsonScanner } from "./scan-json.ts";

const LIMITS = { depth: 64, keys: 10_000, elements: 1000, keyBytes: 256, numberDigits: 64 };
const scan = createJsonScanner(LIMITS);

function scanText(text: string): { suspicious: boolean; escapes: boolean } {
  return scan(Buffer.from(text), text);
}

/** What both must say of JSON, by a third way: the engine's parser, and a count of keys. */
function hasFault(text: string): boolean {
  return findJsonFault(text, LIMITS) !== null;
}

const json = fc.json({ maxDepth: 4, stringUnit: "grapheme" }).map((text) => text.normalize());

test("the exact reading accepts what JSON.parse accepts, unless it names a reason of its own", () => {
  const pieces = fc.array(
    fc.oneof(
      json,
      fc.constantFrom(
        ...'{}[],:"\\ \n\t0123456789.eE+-',
        "true",
        "null",
        '"a":',
        "\\u00",
        "\u0001",
      ),
    ),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(
      fc.oneof(
        json,
        pieces.map((parts) => parts.join("")),
      ),
      (text) => {
        let parses = true;
        try {
          JSON.parse(text);
        } catch {
          parses = false;
        }
        const fault = findJsonFault(text, LIMITS);
        if (parses)
          assert.ok(fault === null || fault.code !== "json_invalid", `${text} ${fault?.detail}`);
        else assert.ok(fault !== null, text);
      },
    ),
    { numRuns: 3000 },
  );
});

test("whatever the exact reading refuses, the quick look suspects or JSON.parse refuses", () => {
  const keys = fc.constantFrom(
    "a",
    "b",
    "\\u0061",
    "__proto__",
    "prototype",
    'q\\"',
    "é",
    "x".repeat(300),
  );
  const values = fc.constantFrom(
    "1",
    "-1.5e9",
    "1".repeat(70),
    '"x"',
    '"\\\\"',
    `"${"long ".repeat(20)}\\" end"`,
    "{}",
    "[]",
    `"${"é".repeat(40)}"`,
    '{"a":1,"b":{"a":2}}',
    '[{"a":1},{"a":1}]',
    `${"[".repeat(70)}${"]".repeat(70)}`,
  );
  const objects = fc
    .array(fc.tuple(keys, values), { maxLength: 6 })
    .map((members) => `{${members.map(([key, value]) => `"${key}" : ${value}`).join(" , ")}}`);
  let suspected = 0;
  fc.assert(
    fc.property(fc.array(objects, { maxLength: 3 }), (parts) => {
      const text = `{"list":[${parts.join()}],"last":0}`;
      const { suspicious } = scanText(text);
      if (suspicious) suspected += 1;
      if (hasFault(text)) assert.ok(suspicious, text);
    }),
    { numRuns: 3000 },
  );
  assert.ok(suspected > 100);
});

test("ordinary bodies are not suspected, whatever their strings hold", () => {
  for (const value of [
    { events: [{ a: 1, b: { a: 2, c: [{ a: 3 }, { a: 4 }] } }, { a: 5 }] },
    { text: `${"x".repeat(15)}"\\{"a":1,"a":2}`, a: "}]{[,:", b: "\\" },
    { text: "__proto__", "": "" },
    { long: `${'\\"'.repeat(100)}é😀`, after: { long: 1 } },
    [[], {}, "", [{}], 1e300, -0.5],
  ]) {
    const text = JSON.stringify(value);
    assert.deepEqual(scanText(text), { suspicious: false, escapes: false }, text);
    assert.equal(hasFault(text), false, text);
    assert.equal(scanText(JSON.stringify(value, null, 2)).suspicious, false, text);
  }
});

test("an escaped code unit is told, and a key with an escape is looked at", () => {
  assert.deepEqual(scanText(String.raw`{"a":"\u0000"}`), { suspicious: false, escapes: true });
  assert.equal(scanText(String.raw`{"a\n":1}`).suspicious, true);
  assert.equal(hasFault(String.raw`{"a\n":1}`), false);
});

test("keys with the same hash are told apart by the exact reading", () => {
  // "Aa" and "BB" are the classic pair for a factor of 31.
  assert.equal(scanText('{"Aa":1,"BB":2}').suspicious, true);
  assert.equal(hasFault('{"Aa":1,"BB":2}'), false);
  assert.equal(hasFault('{"Aa":1,"Aa":2}'), true);
});

test("bytes that are no JSON end the quick look without a fault of its own", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const buffer = Buffer.from(bytes);
      scan(buffer, buffer.toString("latin1"));
    }),
    { numRuns: 2000 },
  );
  for (const text of ["]".repeat(500), "}}}}", '{"a', '"', '"\\', "[,{,", '{"a":"']) scanText(text);
});

test("an array may have as many elements as the limit says, and each array has its own count", () => {
  const array = (length: number): string => `[${Array.from({ length }, () => 0).join()}]`;
  for (const text of [array(1000), `[${array(1000)},${array(1000)},{"a":${array(1000)}}]`]) {
    assert.equal(scanText(text).suspicious, false);
    assert.equal(hasFault(text), false);
  }
  for (const text of [array(1001), `{"a":[${array(3)},${array(1001)}]}`]) {
    assert.equal(scanText(text).suspicious, true);
    const { code, detail } = findJsonFault(text, LIMITS) ?? {};
    assert.equal(code, "json_too_complex");
    assert.match(detail ?? "", /An array has more than 1000 elements/);
  }
  assert.equal(findJsonFault(`{"a":[1,${array(1001)}]}`, LIMITS)?.pointer, "/a/1");
});
