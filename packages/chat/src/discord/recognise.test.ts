import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { chatFormat, chatFormatOf } from "../chat-formats.ts";
import { discord } from "./discord.ts";
import { recogniseDiscord } from "./recognise.ts";

const ID = "1234567890123456789";
const TOKEN = `${"aB3_-".repeat(13)}xyz`;
const CANONICAL = `https://discord.com/api/webhooks/${ID}/${TOKEN}`;

test("every form in which people have the address leads to one", () => {
  const forms = [
    CANONICAL,
    ` ${CANONICAL}\n`,
    `${CANONICAL}/`,
    `${CANONICAL}/slack`,
    `${CANONICAL}/github/`,
    `${CANONICAL}?wait=true#top`,
    CANONICAL.replace("/api/", "/api/v10/"),
    CANONICAL.replace("/api/", "/api/v6/"),
    CANONICAL.replace("/api/", "/"),
    CANONICAL.replace("https:", "http:"),
    CANONICAL.replace("https://", ""),
    CANONICAL.replace("https://discord.com", "HTTPS://Discord.COM:443"),
    ...["ptb.discord.com", "canary.discord.com", "discordapp.com", "www.discord.com"].map((host) =>
      CANONICAL.replace("discord.com", host),
    ),
    ...["ptb.discordapp.com", "canary.discordapp.com", "discord.com."].map((host) =>
      CANONICAL.replace("discord.com", host),
    ),
  ];
  for (const form of forms) {
    const target = {
      url: CANONICAL,
      shownUrl: `https://discord.com/api/webhooks/${ID}/…`,
      threadId: null,
    };
    assert.deepEqual(recogniseDiscord(form), { target }, form);
  }
});

test("a thread comes along", () => {
  const found = recogniseDiscord(`${CANONICAL}/slack?thread_id=99999999999999999&x=1`);
  assert.ok(found !== null && "target" in found);
  assert.equal(found.target.threadId, "99999999999999999");
  assert.equal(found.target.url, CANONICAL);
});

test("what is Discord's and no webhook gets a sentence that never repeats a token", () => {
  const faulty: [string, RegExp][] = [
    ["https://discord.com/channels/1/2/3", /link to a Discord channel/],
    ["https://discord.gg/castle", /invitation/],
    ["discord.gg/castle", /invitation/],
    ["https://discord.com/invite/castle", /invitation/],
    [`https://discord.com/api/webhooks/${ID}`, /token, is missing/],
    [`https://discord.com/api/webhooks/${ID}/`, /token, is missing/],
    [`https://discord.com/api/webhooks/123/${TOKEN}`, /not complete/],
    [`https://discord.com/api/webhooks/${ID}/${TOKEN.slice(0, 20)}`, /not complete/],
    [`${CANONICAL}${"a".repeat(100)}`, /not complete/],
    [`${CANONICAL}/messages/${ID}`, /not complete/],
    [`${CANONICAL}%20`, /not complete/],
    [`${CANONICAL}?thread_id=abc`, /thread_id/],
    ["https://discord.com/developers/applications", /not of a Discord webhook/],
    ["https://discord.com/api/v10/oauth2/authorize?client_id=1", /not of a Discord webhook/],
  ];
  for (const [url, sentence] of faulty) {
    const found = recogniseDiscord(url);
    assert.ok(found !== null && "fault" in found, url);
    assert.match(found.fault, sentence, url);
    assert.ok(!found.fault.includes(TOKEN.slice(0, 20)));
  }
});

test("hosts that only look like Discord's are not recognised", () => {
  const others = [
    CANONICAL.replace("discord.com", "discord.com.evil.example"),
    CANONICAL.replace("discord.com", "evildiscord.com"),
    CANONICAL.replace("discord.com", "discord.com@evil.example"),
    CANONICAL.replace("https://", "https://user:pass@"),
    CANONICAL.replace("discord.com", "discord.com:8443"),
    CANONICAL.replace("discord.com", "dіscord.com"),
    CANONICAL.replace("https:", "ftp:"),
    CANONICAL.replace("discord.com", "hooks.discord.com"),
    "",
    "discord",
    "https://",
    "{}",
  ];
  for (const url of others) assert.equal(recogniseDiscord(url), null, url);
});

test("any text is judged without throwing", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      recogniseDiscord(text);
      const found = recogniseDiscord(`https://discord.com/${text}`);
      if (found !== null && "target" in found) assert.equal(found.target.url.includes(text), false);
    }),
  );
});

test("the registry finds the format of an address, and by its name", () => {
  assert.equal(chatFormatOf(CANONICAL)?.format, discord);
  assert.equal(chatFormatOf("https://receiver.example/hook"), null);
  assert.equal(chatFormat("discord"), discord);
});
