import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { type Inline, readMrkdwn } from "./mrkdwn.ts";

/** Kinds, nested, with what is read. */
function shape(nodes: readonly Inline[]): string {
  return nodes
    .map((node) => {
      if ("children" in node) return `${node.kind}(${shape(node.children)})`;
      if (node.kind === "text") return node.text;
      return `${node.kind}(${node.kind === "date" ? node.time : node.text})`;
    })
    .join("");
}

test("marks become styles, nested too, and entities are characters", () => {
  const samples: [string, string][] = [
    ["*New* sale", "bold(New) sale"],
    ["*a _b_ c*", "bold(a italic(b) c)"],
    ["~s~, `*code*`", "strike(s), code(*code*)"],
    ["```a\n*b*```", "code(a\n*b*)"],
    ["2 * 3 * 4, snake_case_name, *open", "2 * 3 * 4, snake_case_name, *open"],
    ["&lt;!channel&gt; &amp;amp;", "<!channel> &amp;"],
    ["<https://m.example/r?a=1&amp;b=2|Market> · x", "link(Market) · x"],
    ["<!date^1767323045^{date_short_pretty} {time}|2026-01-02 03:04 UTC>", "date(1767323045)"],
    ["<javascript:alert(1)|x>", "<javascript:alert(1)|x>"],
  ];
  for (const [text, expected] of samples) assert.equal(shape(readMrkdwn(text)), expected, text);
});

test("any text is read, and nothing of it becomes longer", () => {
  const words = (nodes: readonly Inline[]): string =>
    nodes
      .map((node) => ("children" in node ? words(node.children) : "text" in node ? node.text : ""))
      .join("");
  const marks = fc.string({ unit: fc.constantFrom("*", "_", "~", "`", "<", "|", ">", "a", " ") });
  fc.assert(
    fc.property(fc.oneof(marks, fc.string()), (text) => {
      assert.ok(words(readMrkdwn(text)).length <= text.length);
    }),
  );
  readMrkdwn("*_".repeat(1500));
});
