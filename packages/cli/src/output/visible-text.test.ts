import assert from "node:assert/strict";
import { test } from "node:test";
import { visible, visibleJson, visibleLines } from "./visible-text.ts";

const HOSTILE = `a\u001b[31mred\u0007\r\n\u202Egnp.exe\u2066\u200b\u009b2J\u2028${String.fromCharCode(0xd800)}\u{e0041}`;

test("nothing that steers a terminal or hides from the eye passes unseen", () => {
  for (const shown of [visible(HOSTILE), visibleJson(HOSTILE)]) {
    assert.doesNotMatch(shown, /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
  }
  assert.equal(visible("a\u001b[0m\nb"), "a\\u001b[0m\\nb");
  assert.equal(visible("\u202Egnp"), "\\u202egnp");
});

test("line breaks and tabs stay where text may have lines", () => {
  assert.equal(visibleLines("a\r\n\tb\rc\u001b"), "a\n\tb\\rc\\u001b");
});

test("letters of any script and emoji stay as they are", () => {
  const text = "Größe Ж 漢字 नमस्ते 👩‍🌾 می‌خواهم";
  assert.equal(visible(text), text);
});

test("JSON means the same as before", () => {
  const value = { text: HOSTILE.toWellFormed(), list: [1, "\n\t"] };
  assert.deepEqual(JSON.parse(visibleJson(value)), value);
  assert.deepEqual(JSON.parse(visibleJson(value, 2)), value);
});
