import assert from "node:assert/strict";
import { test } from "node:test";
import { settingsHelp } from "../commands/serve.ts";
import { SETTINGS } from "./config-schema.ts";

test("the help of settings shows the text of the links that their sentences have", () => {
  const help = settingsHelp();
  assert.match(help, /Several servers of one cluster: failover\./);
  assert.doesNotMatch(help, /\]\(|\.md/);
  const sentences = Object.values(SETTINGS).map(({ sentence }) => sentence);
  assert.ok(sentences.some((one) => one.includes("[failover](../how-to/")));
});
