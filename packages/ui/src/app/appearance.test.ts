import assert from "node:assert/strict";
import { test } from "node:test";
import { darken, lighten } from "@mantine/core";
import { contrast, OWN_APPEARANCE, readableOn, readAppearance } from "./appearance.ts";

test("a marketplace's wishes are read from what a link says", () => {
  const query = "scheme=dark&accent=%23b5179e&radius=4&font=Georgia%2C+Noto+Sans%2Cserif";
  assert.deepEqual(readAppearance(query), {
    scheme: "dark",
    accent: "#b5179e",
    radius: 4,
    font: '"Georgia", "Noto Sans", serif',
  });
  assert.equal(readAppearance("radius=90").radius, 24);
  assert.equal(readAppearance("accent=%23a0F").accent, "#a0F");
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
  const [light, dark] = ["#f4f4f2", "#212327"];
  for (const accent of ["#ffff00", "#ffffff", "#000000", "#7f7f7f", "#00ff88", "#b5179e", "#a0F"]) {
    assert.ok(contrast(readableOn(accent, light, darken), light) >= 4.5, accent);
    assert.ok(contrast(readableOn(accent, dark, lighten), dark) >= 4.5, accent);
  }
  assert.equal(readableOn("#b5179e", "#ffffff", darken), "rgba(181, 23, 158, 1)");
});
