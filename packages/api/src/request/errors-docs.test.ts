import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, test } from "node:test";
import { ERRORS, type ErrorEntry } from "@markethook/protocol";

const catalogue = Object.entries<ErrorEntry>(ERRORS);
let sections: Map<string, string>;
before(async () => {
  const text = await readFile(
    new URL("../../../../docs/reference/errors.md", import.meta.url),
    "utf8",
  );
  const parts = text.split(/^#{2,3} /m);
  sections = new Map(parts.map((part) => [part.split("\n", 1)[0] ?? "", part]));
});

test("every code of the catalogue has a section with its status, meaning and advice", () => {
  for (const [code, { status, title, advice }] of catalogue) {
    const section = sections.get(code);
    assert.ok(section !== undefined, `docs/reference/errors.md lacks a section ${code}: add it`);
    const words = section.replaceAll(/\s+/g, " ");
    const sentences = [status === undefined ? title : `Status ${status}. ${title}`, advice];
    for (const sentence of sentences) {
      const lacks = `docs/reference/errors.md, section ${code}, lacks the catalogue's words: ${sentence}`;
      assert.ok(words.includes(sentence), lacks);
    }
  }
});

test("every section about a code is about one that exists", () => {
  const codes = new Set(catalogue.map(([code]) => code));
  for (const title of sections.keys()) {
    if (/^[a-z_]+$/.test(title)) assert.ok(codes.has(title), `${title} is not in the catalogue`);
  }
});
