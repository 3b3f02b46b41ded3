import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { placeholdersOf } from "@markethook/chat";
import { EVENT_NAMES } from "@markethook/protocol";

test("the page for owners has every placeholder in its table, and no others", () => {
  const page = readFileSync("docs/reference/discord.md", "utf8");
  const documented = [...page.matchAll(/^\| `\{(\w+)\}`/gm)].map(([, name]) => name);
  const known = EVENT_NAMES.flatMap((event) => placeholdersOf(event).map(({ name }) => name));
  assert.deepEqual(new Set(documented), new Set(known));
  assert.equal(documented.length, new Set(known).size);
});
