import assert from "node:assert/strict";
import { test } from "node:test";
import { table } from "./table.ts";

test("columns stand below one another, whatever is in them", () => {
  const lines = table(
    ["id", "title", "state"],
    [
      ["a", "Castle", "active"],
      ["bb", "城とドラゴン", "paused"],
      ["ccc", "Ünïcode 🐉", "active"],
      ["d", "", "-"],
    ],
  ).split("\n");
  assert.deepEqual(lines, [
    "id   title         state",
    "a    Castle        active",
    "bb   城とドラゴン  paused",
    "ccc  Ünïcode 🐉    active",
    "d                  -",
  ]);
});

test("no line ends in spaces, and a table without rows is its head", () => {
  assert.equal(table(["id", "title"], []), "id  title");
  assert.equal(table(["id", "title"], [["a", ""]]), "id  title\na");
});

test("a table may have as many rows as a list has items", () => {
  const rows = Array.from({ length: 150_000 }, () => ["x"]);
  assert.equal(table(["n"], rows).length, (rows.length + 1) * "n\n".length - 1);
});
