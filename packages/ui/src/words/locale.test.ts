import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { fullTime, relativeTime } from "../shared/times.ts";
import { chooseLanguage, setLanguage } from "./locale.ts";
import { duration, list, milliseconds, oneDecimal, oneOf, plural, whole } from "./numbers.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");

afterEach(() => setLanguage({ language: "en", locale: "en" }));

test("a language that the pages do not have is not offered: English, as the reader's browser writes it", () => {
  assert.deepEqual(chooseLanguage("xx", ["fr-FR", "en-GB", "en"]), {
    language: "en",
    locale: "en-GB",
  });
  assert.deepEqual(chooseLanguage(null, ["fr"]), { language: "en", locale: "en" });
  // As Chromium names the system's locale on some machines.
  assert.deepEqual(chooseLanguage(null, ["en-US@posix"]), { language: "en", locale: "en" });
  assert.deepEqual(chooseLanguage("en", []), { language: "en", locale: "en" });
});

test("the language that is asked for wins over the browser's, whose locale of it is taken", () => {
  assert.deepEqual(chooseLanguage(null, ["de-AT", "en-GB"]), { language: "de", locale: "de-AT" });
  assert.deepEqual(chooseLanguage(null, ["fr", "de"]), { language: "de", locale: "de" });
  assert.deepEqual(chooseLanguage("en", ["de-AT", "en-GB"]), { language: "en", locale: "en-GB" });
  assert.deepEqual(chooseLanguage("de", ["en-US", "de-CH"]), { language: "de", locale: "de-CH" });
  assert.deepEqual(chooseLanguage("de", ["en-US"]), { language: "de", locale: "de" });
});

test("numbers, lists and plurals are written as the locale does", () => {
  assert.equal(whole(4800), "4,800");
  assert.equal(milliseconds(1234), "1.2 s");
  assert.equal(duration(432_000_000), "5 days");
  assert.equal(duration(5_400_000), "1.5 hours");
  assert.equal(duration(1000), "1 second");
  assert.equal(oneOf(["a", "b"]), "a or b");
  assert.deepEqual(
    [0, 1, 2].map((count) => plural(count, "one", "other")),
    ["other", "one", "other"],
  );
  setLanguage({ language: "en", locale: "de" });
  assert.equal(whole(4800), "4.800");
  assert.equal(oneDecimal(1.25), "1,3");
  assert.equal(milliseconds(1234), "1,2 s");
  assert.equal(duration(432_000_000), "5 Tage");
  assert.equal(oneOf(["a", "b"]), "a oder b");
  assert.equal(list(["a", "b", "c"]), "a, b und c");
});

test("times are written as the locale does, with its own word order", () => {
  setLanguage({ language: "en", locale: "de" });
  assert.equal(relativeTime(NOW - 3 * 86_400_000, NOW), "vor 3 Tagen");
  assert.equal(relativeTime(NOW + 300_000, NOW, true), "in 5 Min.");
  assert.match(fullTime(NOW), /^2[0-2]\.11\.2026, \d\d:\d\d:\d\d$/);
});
