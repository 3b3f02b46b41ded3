import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { allChatWords } from "../chat/platforms.ts";
import { de } from "./de/index.ts";
import { en } from "./en/index.ts";
import { words as first, setWords } from "./first-words.ts";
import { locale, setLanguage } from "./locale.ts";
import { loadLanguage } from "./page-language.ts";
import { words } from "./words.ts";

afterEach(() => {
  setLanguage({ language: "en", locale: "en" });
  setWords(en);
});

test("the texts of the language that is asked for are loaded", async () => {
  assert.deepEqual(await loadLanguage("de", ["en-US"]), { language: "de", locale: "de" });
  assert.equal(words.activity.title, "Aktivität");
  assert.equal(first.app.deliveries, "Zustellungen");
});

test("where the texts of a language cannot be loaded, the page is in English", async () => {
  const broken = { de: async () => await Promise.reject(new Error("no chunk")) };
  assert.deepEqual(await loadLanguage("de", ["de", "en-GB"], broken), {
    language: "en",
    locale: "en-GB",
  });
  assert.equal(words.activity.title, "Activity");
  assert.equal(locale(), "en-GB");
});

test("no text of more than one word is the same in German", () => {
  const english = new Set(textsOf([en, allChatWords()]).filter((text) => text.includes(" ")));
  // As they are typed.
  for (const code of ['require: "service"', "markethook receive"]) english.delete(code);
  setLanguage({ language: "de", locale: "de" });
  assert.deepEqual(
    textsOf([de, allChatWords()]).filter((text) => english.has(text)),
    [],
    "German texts of packages/ui that are still English: translate them",
  );
});

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
