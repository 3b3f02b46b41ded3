import assert from "node:assert/strict";
import { test } from "node:test";
import { treeText } from "./tree.ts";

test("branches hang on their parent, and lines of text stay in their branch", () => {
  const text = treeText({
    text: "root",
    branches: [
      { text: "first\n\nsecond line", branches: [{ text: "leaf" }] },
      { text: "last", branches: [{ text: "a\nb" }, { text: "c" }] },
    ],
  });
  assert.equal(
    text,
    [
      "root",
      "├─ first",
      "│",
      "│  second line",
      "│  └─ leaf",
      "└─ last",
      "   ├─ a",
      "   │  b",
      "   └─ c",
    ].join("\n"),
  );
});
