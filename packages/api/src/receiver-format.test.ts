import assert from "node:assert/strict";
import { test } from "node:test";
import { formatOf, formatRemarks, shownUrl } from "./receiver-format.ts";

test("a chat platform's address is known by host and path, and shown without its secret", () => {
  const chats = {
    discord: "https://canary.discord.com/api/v10/webhooks/1/secret",
    slack: "https://hooks.slack.com/services/T0/B0/secret",
    teams: "https://x.webhook.office.com/webhookb2/secret",
  };
  for (const [format, url] of Object.entries(chats)) {
    assert.equal(formatOf(url), format);
    assert.ok(!shownUrl(url).includes("secret"), url);
    assert.equal(formatRemarks(url).length, 1);
  }
});

test("anything else is a receiver of its owner's, and shown as it is", () => {
  for (const url of [
    "https://discord.com/invite/x",
    "https://discord.com.evil.example/api/webhooks/1/x",
    "https://bot.example/api/webhooks/1/x",
    "no address",
  ]) {
    assert.deepEqual([formatOf(url), shownUrl(url), formatRemarks(url)], ["json", url, []]);
  }
});
