import assert from "node:assert/strict";
import { test } from "node:test";
import { configurationPage, settingsHelp } from "./config-docs.ts";

test("the help of settings shows the text of links, and the page the links", () => {
  const help = settingsHelp();
  assert.match(help, /Several servers of one cluster: failover\./);
  assert.doesNotMatch(help, /\]\(|\.md/);
  assert.match(configurationPage(), /\[failover\]\(\.\.\/how-to\//);
});
