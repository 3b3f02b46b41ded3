import assert from "node:assert/strict";
import { test } from "node:test";
import { cleanLine, cleanText, tooLong } from "./form-text.ts";

test("control characters do not get into a line, and spaces around it fall away", () => {
  assert.equal(cleanLine("  A\u0000\u001B[31m title\r\nof one line "), "A [31m title of one line");
});

test("a text keeps its lines, as LF", () => {
  assert.equal(cleanText("one\r\ntwo\rthree\u0000\n"), "one\ntwo\nthree");
});

test("a text that is too long is named with its length in characters", () => {
  assert.equal(tooLong({ title: "🎉🎉" }, { title: 2 }), null);
  assert.match(tooLong({ title: "🎉🎉🎉" }, { title: 2 }) ?? "", /title is 3 characters long/);
});
