import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { CODE_POINT } from "@markethook/protocol/testing";
import { cleanLine, cleanText, cutText } from "./clean-text.ts";

test("what is not seen is removed, and what is seen stays", () => {
  const samples: [string, string][] = [
    ["plain, ünïcode, 漢字, عربى", "plain, ünïcode, 漢字, عربى"],
    ["\u202egpj.exe\u202c \u2066x\u2069", "gpj.exe x"],
    ["dis\u200bcord\u2060.\ufeffgg", "discord.gg"],
    ["a\u0000b\u001b[31mc\u007f\u0085d", "ab[31mc\nd"],
    ["\u3164\u115f\u1160\uffa0\u2800\u00ad\u034f", ""],
    ["a\u00a0\u2003\u3000\tb", "a    b"],
    ["one\r\ntwo\u2028three\n\n\n\nfour  \nfive", "one\ntwo\nthree\n\nfour\nfive"],
    ["half \ud83d and \udc00", "half \ufffd and \ufffd"],
    ["👩‍👩‍👧‍👦 🏴‍☠️ ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇩🇪 👍🏽", "👩‍👩‍👧‍👦 🏴‍☠️ ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇩🇪 👍🏽"],
    ["می\u200cخواهم", "می\u200cخواهم"],
    ["a\u200db 👩\u200d \u200d👩", "ab 👩 👩"],
    [`Z${"\u0301".repeat(50)}algo`, `Z${"\u0301".repeat(6)}algo`],
  ];
  for (const [text, expected] of samples) assert.equal(cleanText(text), expected);
  assert.equal(cleanLine(" a\n\nb \t c "), "a b c");
});

test("cleaning once is enough, whatever the text", () => {
  const odd = fc.constantFrom(
    "\u200d",
    "👩",
    "\u202e",
    "\ufe0f",
    " ",
    "\n",
    "a",
    "\u0301",
    "\ud83d",
  );
  const texts = fc.oneof(fc.string({ unit: CODE_POINT }), fc.string({ unit: odd }));
  fc.assert(
    fc.property(texts, (text) => {
      const once = cleanText(text);
      assert.ok(once.isWellFormed());
      assert.equal(cleanText(once), once);
      assert.doesNotMatch(cleanLine(text), /\n|^ | $| {2}/);
    }),
  );
});

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
    fc.property(fc.string({ unit: CODE_POINT }), fc.nat(40), (text, limit) => {
      const well = text.toWellFormed();
      const cut = cutText(well, limit);
      assert.ok(cut.length <= limit);
      assert.ok(cut.isWellFormed());
      if (cut !== well) assert.ok(limit === 0 || well.startsWith(cut.slice(0, -1)));
    }),
  );
});
