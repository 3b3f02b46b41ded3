import assert from "node:assert/strict";
import { test } from "node:test";
import { OWN_APPEARANCE, readableOn, readAppearance } from "./appearance.ts";
import { BLACK, contrast, parseColor, toHex, WHITE } from "./color.ts";

test("a marketplace's wishes are read from what a link says", () => {
  const query = "scheme=dark&accent=%23b5179e&radius=4&font=Georgia%2C+Noto+Sans%2Cserif";
  assert.deepEqual(readAppearance(query), {
    scheme: "dark",
    accent: [0xb5, 0x17, 0x9e],
    radius: 4,
    font: '"Georgia", "Noto Sans", serif',
  });
  assert.equal(readAppearance("radius=90").radius, 24);
  assert.equal(toHex(readAppearance("accent=%23a0F").accent ?? BLACK), "#aa00ff");
});

test("what cannot be read, or could end a style and begin another, is left out", () => {
  for (const query of [
    "",
    "scheme=auto&accent=red&radius=1.5&font=",
    "scheme=DARK&accent=%23ggg&radius=-1",
    "accent=b5179e&radius=100&font=a%7D+body%7Bdisplay%3Anone",
    "accent=%23b5179e%3B&font=%22%3B&radius=4px",
    "font=url(x)",
  ]) {
    assert.deepEqual(readAppearance(query), OWN_APPEARANCE, query);
  }
});

test("every accent becomes a colour of links that can be read, and one that can be read already stays", () => {
  for (const text of ["#ffff00", "#ffffff", "#000000", "#7f7f7f", "#00ff88", "#b5179e"]) {
    const accent = parseColor(text) ?? BLACK;
    const [light, dark] = [parseColor("#f4f4f2") ?? WHITE, parseColor("#212327") ?? BLACK];
    assert.ok(contrast(readableOn(accent, light, BLACK), light) >= 4.5, text);
    assert.ok(contrast(readableOn(accent, dark, WHITE), dark) >= 4.5, text);
  }
  assert.equal(toHex(readableOn([0xb5, 0x17, 0x9e], WHITE, BLACK)), "#b5179e");
});
