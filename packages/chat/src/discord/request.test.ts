import assert from "node:assert/strict";
import { test } from "node:test";
import { discord } from "./discord.ts";

const TOKEN = "t".repeat(68);
const TARGET = {
  url: `https://discord.com/api/webhooks/123456789012345678/${TOKEN}`,
  shownUrl: "https://discord.com/api/webhooks/123456789012345678/…",
  threadId: null,
};
const MESSAGE = { body: "{}", colour: 0, warnings: [], fault: null };
const AGENT = "DiscordBot (https://hooks.example, 1.0.0)";

test("a message is posted, and one is edited, in the channel or in a thread", () => {
  const base = "https://discord.com/api/v10/webhooks/123456789012345678";
  const samples: [string | null, string | null, string, string][] = [
    [null, null, "POST", "?wait=true"],
    ["77777777777777777", null, "POST", "?wait=true&thread_id=77777777777777777"],
    [null, "55", "PATCH", "/messages/55"],
    ["77777777777777777", "55", "PATCH", "/messages/55?thread_id=77777777777777777"],
  ];
  for (const [threadId, editMessageId, method, rest] of samples) {
    const how = { threadId, editMessageId, userAgent: AGENT, origin: null };
    assert.deepEqual(discord.request(TARGET, MESSAGE, how), {
      method,
      url: `${base}/${TOKEN}${rest}`,
      shownUrl: `${base}/…${rest}`,
      headers: [
        ["Content-Type", "application/json"],
        ["Accept", "application/json"],
        ["User-Agent", AGENT],
      ],
      body: "{}",
    });
  }
});

test("another origin stands in for Discord's", () => {
  const how = { threadId: null, editMessageId: null, userAgent: AGENT };
  const { url, shownUrl } = discord.request(TARGET, MESSAGE, {
    ...how,
    origin: "http://127.0.0.1:8080",
  });
  assert.ok(url.startsWith("http://127.0.0.1:8080/api/v10/webhooks/"));
  assert.ok(!shownUrl.includes(TOKEN));
});
