import assert from "node:assert/strict";
import { test } from "node:test";
import { chatOf, formatOf, shownUrl } from "./receiver-format.ts";
import { DISCORD_ID, DISCORD_TOKEN, DISCORD_URL, SHOWN_DISCORD_URL } from "../testing/chat-urls.ts";

test("a chat's address is known in all its forms, and shown without its secret", () => {
  const path = `${DISCORD_ID}/${DISCORD_TOKEN}`;
  for (const url of [
    DISCORD_URL,
    ` https://canary.discord.com/api/v10/webhooks/${path}?thread_id=223344556677889900 `,
    `https://discordapp.com/api/webhooks/${path}/slack`,
  ]) {
    const chat = chatOf(url);
    assert.ok(chat !== null && "target" in chat, url);
    assert.deepEqual([chat.target.url, formatOf(url)], [DISCORD_URL, "discord"]);
    assert.deepEqual(shownUrl(url), SHOWN_DISCORD_URL);
  }
});

test("an address of a chat that is none of its webhooks has a sentence", () => {
  for (const url of [
    "https://discord.com/channels/1/2",
    "https://discord.gg/x",
    `https://discord.com/api/webhooks/${DISCORD_ID}`,
  ]) {
    const chat = chatOf(url);
    assert.ok(chat !== null && "fault" in chat && /webhook/i.test(chat.fault), url);
    assert.equal(formatOf(url), "discord");
    // It may have its secret all the same.
    assert.match(shownUrl(url), /^https:\/\/discord\.(com|gg)\/…$/);
  }
  assert.equal(shownUrl(SHOWN_DISCORD_URL), SHOWN_DISCORD_URL);
});

test("an address of a platform whose messages are not made is refused with a code of its own", () => {
  const chats = {
    teams: "https://x.webhook.office.com/webhookb2/secret",
  };
  for (const [format, url] of Object.entries(chats)) {
    assert.equal(formatOf(url), format);
    assert.ok(!shownUrl(url).includes("secret"), url);
    const chat = chatOf(url);
    assert.ok(chat !== null && "fault" in chat, url);
    assert.equal(chat.code, "chat_unsupported");
  }
});

test("anything else is a receiver of its owner's, and shown by its host", () => {
  for (const [url, shown] of [
    [`https://discord.com.evil.example/api/webhooks/1/x`, "https://discord.com.evil.example/…"],
    [`https://user@discord.com/api/webhooks/1/x`, "https://user@discord.com/…"],
    ["https://bot.example:8443?token=x", "https://bot.example:8443/…"],
    ["https://bot.example/", "https://bot.example/"],
    ["no address", "no address"],
  ] as const) {
    assert.deepEqual([chatOf(url), formatOf(url), shownUrl(url)], [null, "json", shown]);
  }
});
