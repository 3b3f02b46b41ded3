import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type ChatOptions,
  checkChatOptions,
  DEFAULT_CHAT_OPTIONS,
  chatFormat,
  type DiscordMessage,
} from "@markethook/chat";
import { EVENT_NAMES } from "@markethook/protocol";
import { CODE_POINT } from "@markethook/protocol/testing";
import { EmbedBuilder, embedLength } from "@discordjs/builders";
import type { RESTPostAPIWebhookWithTokenJSONBody } from "discord-api-types/v10";
import * as fc from "fast-check";
import { checkBody } from "./message-rules.ts";
import { type Found, readMarkdown } from "./discord-markdown.ts";
import { hostileFacts, hostileTexts } from "./hostile-texts.ts";
import { startDiscord } from "./stand-in.ts";

/** Owners' templates with everything that they may have in them, and user text right next to it. */
const TEMPLATES: ChatOptions = options({
  title: "{resource}: {subtitle}{resource}",
  text: "{resource}{subtitle} *{resource}* `{resource}` **{subtitle}**|{resource}\n{resource}\n- {resource}\n[a {resource} b](https://owner.example/{resource}/x) https://owner.example/{subtitle} {{{resource}}}",
  mentionRoleId: "999999999999999999",
});

function options(message: object): ChatOptions {
  const messages = Object.fromEntries(EVENT_NAMES.map((event) => [event, message]));
  const checked = checkChatOptions(chatFormat("discord"), { messages });
  assert.ok("options" in checked);
  return checked.options;
}

function everyMessage(text: string, chosen: ChatOptions): DiscordMessage[] {
  const removal = hostileFacts("product.user.purchaseRemoved", text);
  const sale = { messageId: "1", facts: hostileFacts("product.user.purchase", text) };
  const discord = chatFormat("discord");
  const edited = discord.editedSale?.(sale, removal, chosen);
  assert.ok(edited !== undefined);
  return [
    ...EVENT_NAMES.map((event) => discord.message(hostileFacts(event, text), chosen)),
    edited,
    // Made by our own format.
  ].map(({ body }) => JSON.parse(body) as DiscordMessage);
}

function found({ embeds: [embed] }: DiscordMessage): Found[] {
  const fields = embed.fields?.flatMap(({ name, value }) => [name, value]) ?? [];
  return [embed.title ?? "", embed.description ?? "", ...fields].map(readMarkdown);
}

/** By the builders of Discord's own ecosystem, which throw at what Discord would refuse. */
function build({ embeds: [embed] }: DiscordMessage): void {
  const builder = new EmbedBuilder()
    .setTitle(embed.title ?? null)
    .setDescription(embed.description ?? null)
    .setURL(embed.url ?? null)
    .setColor(embed.color)
    .setFooter(embed.footer ?? null)
    .setFields(embed.fields ?? []);
  assert.ok(embedLength(builder.toJSON()) <= 6000);
}

function assertHarmless(text: string): void {
  for (const message of everyMessage(text, DEFAULT_CHAT_OPTIONS)) {
    assert.deepEqual(checkBody(message, false), { faults: [], odd: [] });
    assert.deepEqual(message.allowed_mentions, { parse: [] });
    assert.equal(message.content, undefined);
    build(message);
    for (const { mentions, maskedLinks, autolinks } of found(message)) {
      assert.deepEqual(
        { mentions, maskedLinks, autolinks },
        {
          mentions: [],
          maskedLinks: [],
          autolinks: [],
        },
      );
    }
  }
  for (const message of everyMessage(text, TEMPLATES)) {
    assert.deepEqual(checkBody(message, false), { faults: [], odd: [] });
    assert.deepEqual(message.allowed_mentions.parse, []);
    build(message);
    for (const { mentions, maskedLinks, autolinks } of found(message)) {
      assert.deepEqual(mentions, []);
      for (const url of [...maskedLinks, ...autolinks]) {
        assert.ok(isOwners(url), url);
      }
    }
  }
}

/** An address in the owner's template, or what is left of its beginning where a text that is too long was cut. */
function isOwners(url: string): boolean {
  const cut = url.endsWith("…") && OWNERS.startsWith(url.slice(0, -1));
  return (
    cut || (url.startsWith(OWNERS) && /^[\w%.…-]*(\/[x…])?\)?$/.test(url.slice(OWNERS.length)))
  );
}

const OWNERS = "https://owner.example/";

test("a text that is cut within an owner's address leaves no other address", () => {
  // Found by the property below. The second is cut between the template's slash and its "x".
  assertHarmless(
    "\\https://discord.gg/evil*<a:nitro:123456789012345678>>>> all quoted<@!123456789012345678>\n[free](<https://evil.example> 'title')👩‍👩‍👧‍👦",
  );
  assertHarmless(
    "]( www.evil.example[https://discord.com](https://evil.example){buyer}discordapp.com/invite/evil<:nitro:123456789012345678><#123456789012345678>~~||",
  );
  for (const url of [
    "https://owner.exam…",
    "https://owner.example/x",
    "https://owner.example/a%20b/…",
    "https://owner.example/a%20b/x)",
  ])
    assert.ok(isOwners(url), url);
  for (const url of [
    "https://owner.evil",
    "https://owner.example.evil/",
    "https://owner.exam",
    "https://owner.example/a/evil",
    "https://evil…",
  ])
    assert.ok(!isOwners(url), url);
});

test("messages are what Discord's public types call a webhook's message", () => {
  for (const message of everyMessage("Castle", DEFAULT_CHAT_OPTIONS)) {
    const typed: RESTPostAPIWebhookWithTokenJSONBody = {
      ...message,
      allowed_mentions: { parse: [] },
    };
    assert.equal(typed.embeds?.length, 1);
  }
});

test("500 hostile titles and buyer names: no ping, no link, nothing refused", async (t) => {
  const standIn = await startDiscord({
    bucket: { limit: 1e6, perMs: 1_000 },
    global: { limit: 1e6, perMs: 1_000 },
  });
  t.after(() => standIn.close());
  const channel = standIn.addChannel();
  const recognised = chatFormat("discord").recognise(channel.url);
  assert.ok(recognised !== null && "target" in recognised);
  const texts = hostileTexts(500);
  assert.equal(new Set(texts).size, 500);
  for (const text of texts) {
    const message = chatFormat("discord").message(
      hostileFacts("product.user.purchase", text),
      DEFAULT_CHAT_OPTIONS,
    );
    const request = chatFormat("discord").request(recognised.target, message, {
      threadId: null,
      editMessageId: null,
      userAgent: "DiscordBot (https://hooks.example, 1.0.0)",
      origin: standIn.origin,
    });
    const { method, url, headers, body } = request;
    const response = await fetch(url, { method, headers, body });
    await response.body?.cancel();
  }
  assert.deepEqual(Object.fromEntries(standIn.answers), { "200": 500 });
  assert.deepEqual([...standIn.violations], []);
  const all = (name: "pings" | "mentions" | "maskedLinks" | "autolinks"): string[] =>
    channel.messages.flatMap((message) => message[name]);
  const bad = [all("pings"), all("mentions"), all("maskedLinks"), all("autolinks")];
  assert.deepEqual(bad.flat(), []);
});

test("every message of every event is harmless, with the owner's templates too", () => {
  for (const text of hostileTexts(150)) assertHarmless(text);
});

test("and so it is with any text", () => {
  const parts = fc.constantFrom(...hostileTexts(70));
  const texts = fc.oneof(
    fc.string({ unit: parts, maxLength: 12 }),
    fc.string({ unit: CODE_POINT }),
  );
  fc.assert(fc.property(texts, assertHarmless), { numRuns: 40 });
});

test("what a buyer is called is read in Discord as it is, marks and all", () => {
  for (const text of [
    "*Jo* _the_ ~~1st~~",
    "a@b.example",
    "# 1. <3 (o:) [x] |y| `z`",
    "- C:\\dir",
  ]) {
    const [message] = [
      chatFormat("discord").message(
        hostileFacts("product.user.purchase", text),
        DEFAULT_CHAT_OPTIONS,
      ),
    ];
    const { embeds } = JSON.parse(message.body) as DiscordMessage;
    assert.deepEqual(readMarkdown(embeds[0].title ?? "").shown, `New sale: ${text}`);
    assert.deepEqual(readMarkdown(embeds[0].fields?.[0]?.value ?? "").marks, []);
    assert.deepEqual(readMarkdown(embeds[0].fields?.[0]?.value ?? "").shown, text);
  }
});
