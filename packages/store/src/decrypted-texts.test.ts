import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { DecryptedTexts } from "./decrypted-texts.ts";

test("what was opened is found by its tag and its row, and by nothing else", () => {
  const texts = new DecryptedTexts();
  const [tag, other] = ["abcdefghijklmnopqrstu", "ABCDEFGHIJKLMNOPQRSTU"];
  assert.equal(texts.get(tag, "wh_1"), undefined);
  texts.set(tag, "wh_1", "secret");
  assert.equal(texts.get(tag, "wh_1"), "secret");
  for (const row of ["", "wh_", "wh_2", "wh_11"]) assert.equal(texts.get(tag, row), undefined, row);
  assert.equal(texts.get(other, "wh_1"), undefined);
});

test("any text comes back as it was", () => {
  const texts = new DecryptedTexts();
  for (const plain of ["", "secret", "a\nb", "ü€😀".repeat(200)]) {
    const tag = randomBytes(16).toString("base64url").slice(-21);
    texts.set(tag, "wh_1", plain);
    assert.equal(texts.get(tag, "wh_1"), plain);
  }
});

test("of 100,000 nearly all are remembered", () => {
  const texts = new DecryptedTexts();
  const tags = Array.from({ length: 100_000 }, () =>
    randomBytes(16).toString("base64url").slice(-21),
  );
  for (const [no, tag] of tags.entries()) texts.set(tag, `wh_${no}`, `secret ${no}`);
  const found = tags.filter((tag, no) => texts.get(tag, `wh_${no}`) === `secret ${no}`);
  assert.ok(found.length > 98_000, `${found.length}`);
});
