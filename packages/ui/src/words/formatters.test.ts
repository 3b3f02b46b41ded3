import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { dateFormat, numberFormat } from "./formatters.ts";
import { setLanguage } from "./locale.ts";

const zone = process.env["TZ"];

afterEach(() => {
  setLanguage({ language: "en", locale: "en" });
  if (zone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = zone;
});

test("a formatter is made once for a language and its options", () => {
  const one = numberFormat({ maximumFractionDigits: 0 });
  assert.equal(numberFormat({ maximumFractionDigits: 0 }), one);
  assert.equal(one.format(4800), "4,800");
  assert.notEqual(numberFormat({ maximumFractionDigits: 1 }), one);
  setLanguage({ language: "de", locale: "de" });
  assert.equal(numberFormat({ maximumFractionDigits: 0 }).format(4800), "4.800");
});

test("a reader who travels with an open page sees the times of the new time zone", () => {
  const at = Date.parse("2026-11-21T12:00:00Z");
  const options = { hour: "2-digit", minute: "2-digit" } as const;
  process.env["TZ"] = "Europe/Berlin";
  assert.equal(dateFormat(options).format(at), "01:00 PM");
  assert.equal(dateFormat(options), dateFormat({ ...options }));
  process.env["TZ"] = "Asia/Kolkata";
  assert.equal(dateFormat(options).format(at), "05:30 PM");
});
