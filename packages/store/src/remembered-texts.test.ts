import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { RememberedTexts } from "./remembered-texts.ts";

const NAME = fc.string({ unit: "grapheme-ascii", maxLength: 40 });

test("every text is found by its own name only, also where names begin alike", () => {
  const property = fc.property(
    fc.dictionary(NAME, fc.string({ unit: "grapheme" }), { noNullPrototype: true }),
    fc.array(NAME),
    (stored, others) => {
      const texts = new RememberedTexts(1000);
      const expected = new Map(
        Object.entries(stored).flatMap(([name, text]) => [
          [name, text] as const,
          [`beginning ${name}`, `${text} too`] as const,
        ]),
      );
      for (const [name, text] of expected) assert.ok(texts.add(name, text));
      for (const name of [...expected.keys(), ...others])
        assert.equal(texts.get(name), expected.get(name));
    },
  );
  fc.assert(property);
});

test("texts of several megabytes are found, and none after they were cleared", () => {
  const texts = new RememberedTexts(2000);
  const textOf = (no: number): string => `${no} ü`.repeat(no);
  for (const round of [1, 2]) {
    for (let no = 0; no < 2000; no += 1) assert.ok(texts.add(`${no} in ${round}`, textOf(no)));
    for (let no = 0; no < 2000; no += 1) assert.equal(texts.get(`${no} in ${round}`), textOf(no));
    texts.clear();
    for (let no = 0; no < 2000; no += 1) assert.equal(texts.get(`${no} in ${round}`), undefined);
  }
});

test("a text without room, and one that is too long, is refused", () => {
  const texts = new RememberedTexts(1);
  assert.equal(texts.add("long text", "x".repeat(70_000)), false);
  assert.equal(texts.add("n".repeat(300), "long name"), false);
  assert.ok(texts.add("first", "1"));
  assert.equal(texts.add("second", "2"), false);
  assert.deepEqual(
    ["first", "second", "long text", "n".repeat(300)].map((name) => texts.get(name)),
    ["1", undefined, undefined, undefined],
  );
});
