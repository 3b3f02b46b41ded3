import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { type Block, type Inline, readBlocks, readInline } from "./chat-markdown.ts";

/** Without marks, as somebody reads it. */
function words(nodes: readonly Inline[]): string {
  return nodes.map((node) => ("children" in node ? words(node.children) : node.text)).join("");
}

/** Kinds, nested. */
function shape(nodes: readonly Inline[]): string {
  return nodes
    .map((node) => ("children" in node ? `${node.kind}(${shape(node.children)})` : node.kind))
    .join(" ");
}

test("marks become styles, nested too, and escaped ones are characters", () => {
  const samples: [string, string, string][] = [
    ["**New** sale", "bold(text) text", "New sale"],
    ["**a *b* c**", "bold(text italic(text) text)", "a b c"],
    ["__u__ ~~s~~ ||p||", "underline(text) text strike(text) text spoiler(text)", "u s p"],
    [String.raw`\*\*no\*\* \_x\_`, "text", "**no** _x_"],
    ["2 * 3 * 4, snake_case_name", "text", "2 * 3 * 4, snake_case_name"],
    ["`**code**`", "code", "**code**"],
    ["<@&123456789012345678> hi", "mention text", "@role hi"],
    ["[page](https://a.example/x) y", "link(text) text", "page y"],
    ["see https://a.example/x.", "text link(text) text", "see https://a.example/x."],
    [String.raw`\[page\](nowhere) **open`, "text", "[page](nowhere) **open"],
    ["[x](javascript:alert(1))", "text", "[x](javascript:alert(1))"],
  ];
  for (const [text, expectedShape, expectedWords] of samples) {
    const nodes = readInline(text);
    assert.deepEqual([shape(nodes), words(nodes)], [expectedShape, expectedWords], text);
  }
});

test("lines have kinds, and fences hold code", () => {
  const kinds = (text: string): Block["kind"][] => readBlocks(text).map(({ kind }) => kind);
  assert.deepEqual(kinds("# T\ntext\n> q\n- a\n-# s"), [
    "heading",
    "line",
    "quote",
    "item",
    "small",
  ]);
  assert.deepEqual(readBlocks("a\n```js\n**x**\n```"), [
    { kind: "line", children: [{ kind: "text", text: "a" }] },
    { kind: "line", children: [] },
    { kind: "code", text: "**x**" },
  ]);
});

test("any text is read, and nothing of it becomes longer", () => {
  const marks = fc.string({ unit: fc.constantFrom("*", "_", "`", "[", "](", ")", "\\", "a", " ") });
  fc.assert(
    fc.property(fc.oneof(marks, fc.string()), (text) => {
      assert.ok(words(readInline(text)).length <= text.length);
      readBlocks(text);
    }),
  );
  readInline("*".repeat(4096));
});
