import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

/** What `docs/reference/glossary.md` lists as retired, where a word alone shows it. */
const RETIRED =
  /\b(?:[Ll]ife|[Bb]irths?|[Bb]orn|[Uu]nleased|[Dd]esk|[Cc]omeback|[Rr]amps?|[Mm]end(?:s|ed|ing)?|[Aa]new|[Ww]hoever|[Ss]eal(?:s|ed|ing)?|[Rr]eseal|printed again|MARKETHOOK_HOLD|sending_held)\b/g;
/** Parts of names, as identifiers have them. */
const IN_NAMES =
  /\b(?:(?:start|renew|end|lost|has|create)Life|Births?(?=[A-Z]|\b)|[a-z]+Births?\b|HealthStrip|RampGate|sendingHeld|[Ss]ealed[A-Z]|createSeal|[a-z]+Seal\b|[a-z]+Desk\b)/g;

const ROOT = join(import.meta.dirname, "..");
const FILES = [
  "packages/*/src/**/*.{ts,tsx}",
  "packages/*/README.md",
  "test/**/*.ts",
  "tools/**/*.{ts,cjs}",
  "bench/src/**/*.ts",
  "examples/**/*.{ts,js,mjs,md}",
  "docs/*.md",
  "docs/{tutorial,how-to,reference,explanation,adr}/*.md",
  "*.md",
];
/** The first four name the words; the changelog tells what was. */
const LEFT_OUT = new Set([
  "test/words.test.ts",
  "docs/reference/glossary.md",
  "docs/adr/0024-plain-words-and-one-first-migration.md",
  "packages/store/src/regression-earlier-schema.test.ts",
  "CHANGELOG.md",
]);

test("no retired word is in use", () => {
  const found = globSync(FILES, { cwd: ROOT, exclude: ["**/node_modules/**"] })
    .filter((file) => !LEFT_OUT.has(file) && !file.includes("/generated/"))
    .flatMap((file) =>
      readFileSync(join(ROOT, file), "utf8")
        .split("\n")
        .flatMap((line, index) =>
          [...line.matchAll(RETIRED), ...line.matchAll(IN_NAMES)].map(
            ([word]) => `${file}:${index + 1} ${word}`,
          ),
        ),
    );
  assert.deepEqual(found, []);
});

test("a retired word is found in prose and in names", () => {
  const words = (text: string) => [...text.matchAll(RETIRED), ...text.matchAll(IN_NAMES)].length;
  assert.equal(words("the life of whoever holds it"), 2);
  assert.equal(words("startLife(), outcomeBirths"), 2);
  assert.equal(words("lifetime, recommend, bornholm"), 0);
});
