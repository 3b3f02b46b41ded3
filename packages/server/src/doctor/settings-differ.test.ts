import assert from "node:assert/strict";
import { test } from "node:test";
import { examine } from "./examine.ts";
import { cleanFacts, onPostgres, sqlite } from "./testing/clean-facts.ts";

const settings = JSON.stringify({
  MARKETHOOK_SERVICE_NAME: "Castle",
  MARKETHOOK_BASE_URL: "https://old.example",
  MARKETHOOK_LEASE: "20000ms",
});

function namesIn(facts: Parameters<typeof examine>[0]): string[] {
  return examine(facts).map(({ code, sentence }) => `${code} ${sentence.split(" ")[0]}`);
}

test("the doctor compares the name, the base URL and the lease with those of the last start, on SQLite without the lease", () => {
  const both = ["settings_differ MARKETHOOK_SERVICE_NAME", "settings_differ MARKETHOOK_BASE_URL"];
  assert.deepEqual(namesIn(onPostgres({ settings })), [
    ...both,
    "settings_differ MARKETHOOK_LEASE",
  ]);
  assert.deepEqual(namesIn(cleanFacts({ database: sqlite({ settings }) })), both);
});
