import assert from "node:assert/strict";
import { test } from "node:test";
import { visibleMarks } from "./direction-marks.ts";

const shown = (text: string) => visibleMarks(text).map((part) => part.text);

test("marks of direction are shown by their names, and all else as it is", () => {
  assert.deepEqual(visibleMarks("a\u202Egnp.exe"), [
    { text: "a", isMark: false },
    { text: "U+202E", isMark: true },
    { text: "gnp.exe", isMark: false },
  ]);
  assert.deepEqual(shown("\u2066\u2069"), ["U+2066", "U+2069"]);
  assert.deepEqual(shown(""), []);
  const plain = "שלום مرحبا 👩‍🌾 U+202E\n";
  assert.deepEqual(visibleMarks(plain), [{ text: plain, isMark: false }]);
});

test("every character that Unicode calls a control of direction is shown", () => {
  for (let point = 0; point <= 0xffff; point += 1) {
    const character = String.fromCharCode(point);
    if (!/\p{Bidi_Control}/u.test(character)) continue;
    assert.ok(visibleMarks(`a${character}b`)[1]?.isMark, point.toString(16));
  }
});
