import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { cutText } from "./cut-text.ts";

test("a text is cut between characters as people see them, and escapes stay whole", () => {
  assert.equal(cutText("castle", 6), "castle");
  assert.equal(cutText("castles", 6), "castl…");
  assert.equal(cutText("a 👩‍👩‍👧‍👦 b", 6), "a…");
  assert.equal(cutText("ab👍🏽c", 5), "ab…");
  assert.equal(cutText(String.raw`abc\*\*`, 5), "abc…");
  assert.equal(cutText(String.raw`abc\*\*`, 6), String.raw`abc\*…`);
  assert.equal(cutText(String.raw`\\\\\\`, 4), String.raw`\\…`);
  assert.equal(cutText(`e${"\u0301".repeat(300)}`, 100), "…");
  assert.equal(cutText("words and more", 7), "words…");
  assert.equal(cutText("x", 0), "");
});

test("a cut text is within the limit and begins like the whole, whatever it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(40), (text, limit) => {
      const well = text.toWellFormed();
      const cut = cutText(well, limit);
      assert.ok(cut.length <= limit);
      assert.ok(cut.isWellFormed());
      if (cut !== well) assert.ok(limit === 0 || well.startsWith(cut.slice(0, -1)));
    }),
  );
});
