import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";

const SOURCES = "packages/ui/src/**/*.{ts,tsx}";
/** Also those of a chat platform, in its own folder. */
const WORDS = ["packages/ui/src/words/*/*.ts", "packages/ui/src/chat/*/*.ts"];

/** What a person reads or hears of an element. */
const READ = "title|label|aria-label|placeholder|description|about|alt|none|short|brand|below";

/** Each is a text that stands where it is shown, in place of `words`. */
const TEXTS: readonly { what: string; pattern: RegExp }[] = [
  { what: "an attribute", pattern: new RegExp(`\\s(?:${READ})="([^"]*\\p{L}{2}[^"]*)"`, "gu") },
  {
    what: "a text between tags",
    pattern: /<(?:[A-Za-z][\w.]*)(?:\s[^<>]*)?>\s*(\p{L}[^<>{}();=]*?)\s*<\/?[A-Za-z]/gu,
  },
  { what: "a choice of texts", pattern: /\?\s+"(\p{Lu}[^"]*)"\s*:/gu },
  { what: "a message", pattern: /\b(?:message|label):\s*["`](\p{L}[^"`]*)["`]/gu },
];

/** Examples of what a person enters, and names. */
const SAID_AS_IT_IS = new Set([
  "https://bot.example/webhooks",
  "mh_…",
  "JSON",
  "SQLite",
  // A command of a path in a drawing.
  "L",
]);

function textsOf(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  return TEXTS.flatMap(({ what, pattern }) =>
    [...code.matchAll(pattern)]
      .map(([, text = ""]) => text)
      .filter((text) => !SAID_AS_IT_IS.has(text))
      .map((text) => `${what}: ${text}`),
  );
}

test("no text that a person reads stands in the pages outside words/", () => {
  const found = globSync(SOURCES)
    .filter((path) => !path.endsWith(".test.ts") && !/\/(words|samples)\//.test(path))
    .flatMap((path) => textsOf(readFileSync(path, "utf8")).map((text) => `${path}: ${text}`));
  assert.deepEqual(found, []);
});

test("texts in tags, in attributes and in choices are found", () => {
  assert.equal(textsOf(`<Button size="xs" onClick={stop}>\n  Stop now\n</Button>`).length, 1);
  assert.equal(textsOf(`<Panel title="Service">{rows}</Panel>`).length, 1);
  assert.equal(textsOf(`<p>{isOver ? "Sent" : "Sending"}</p>`).length, 1);
  assert.equal(textsOf(`notifications.show({ message: "Saved." })`).length, 1);
  assert.deepEqual(textsOf(`<Panel title={words.operator.service} size="xs">{rows}</Panel>`), []);
});

test("the pages speak of a server and its replies, never of a receiver or an endpoint", () => {
  const found = globSync(WORDS).flatMap((path) =>
    [
      ...readFileSync(path, "utf8").matchAll(/["`][^"`]*\b(?:receiver|endpoint)s?\b[^"`]*["`]/gi),
    ].map(([text]) => `${path}: ${text}`),
  );
  assert.deepEqual(found, []);
});
