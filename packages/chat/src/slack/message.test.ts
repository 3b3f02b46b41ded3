import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventName } from "@markethook/protocol";
import { type ChatOptions, DEFAULT_CHAT_OPTIONS, type MessageOptions } from "../chat-format.ts";
import type { EventFacts } from "../event-facts.ts";
import { sampleFacts } from "../sample-facts.ts";
import { slackMessage } from "./message.ts";
import { messageLimits, type SlackBlock, type SlackMessage } from "./message-form.ts";

const OF = {
  title: "Castle",
  url: "https://market.example/resource/castle",
  serviceName: "Market",
};
const PURCHASE = "product.user.purchase";
const UPDATE = "product.update";
const TIME = "<!date^1767323045^{date_short_pretty} {time}|2026-01-02 03:04 UTC>";

function withMessage(event: EventName, message: MessageOptions): ChatOptions {
  return { ...DEFAULT_CHAT_OPTIONS, messages: { [event]: message } };
}

function made(of: EventFacts, options: ChatOptions = DEFAULT_CHAT_OPTIONS) {
  const chat = slackMessage(of, options);
  const message = JSON.parse(chat.body) as SlackMessage;
  const textOf = (type: SlackBlock["type"]): string | undefined =>
    message.blocks.flatMap((one) => (one.type === type && "text" in one ? [one.text.text] : []))[0];
  return { ...chat, message, title: textOf("header"), text: textOf("section") };
}

test("a sale tells who bought what for how much, where to look, and when", () => {
  const plain = (text: string) => ({ type: "plain_text", text, emoji: false });
  const marked = (text: string) => ({ type: "mrkdwn", text, verbatim: true });
  const { message, colour, warnings, fault } = made(sampleFacts(PURCHASE, OF));
  assert.deepEqual([colour, warnings, fault], [null, [], null]);
  assert.deepEqual(message, {
    text: "New sale: Castle\nBuyer: Jo, Amount: 4.99 EUR, Order: 88213",
    blocks: [
      { type: "header", text: plain("New sale: Castle") },
      {
        type: "section",
        fields: [
          marked("*Buyer*"),
          plain("Jo"),
          marked("*Amount*"),
          plain("4.99 EUR"),
          marked("*Order*"),
          plain("88213"),
        ],
      },
      { type: "context", elements: [marked(`<${OF.url}|Market> · ${TIME}`)] },
    ],
    parse: "none",
    unfurl_links: false,
    unfurl_media: false,
  });
});

test("an update tells what is new, in Slack's marks, and a removal what became of the sale", () => {
  const update = made(sampleFacts(UPDATE, OF));
  assert.equal(update.title, "Castle 1.1.0");
  assert.equal(update.text, "*The moat*\nNow with water.");
  assert.equal(made(sampleFacts("product.user.purchaseRemoved", OF)).title, "Refunded: Castle");
  assert.match(made(sampleFacts("ping", OF)).message.text, /^Ping: Castle\nThis is a test\./);
});

test("the owner's title, text and marks stand there, without the facts if they like", () => {
  const chosen = withMessage(PURCHASE, {
    title: "{buyer} bought {resource}",
    text: "*{amount} {currency}* for `{order}`\n{subtitle}",
    fields: false,
  });
  const { title, text, message } = made(sampleFacts(PURCHASE, OF), chosen);
  assert.equal(title, "Jo bought Castle");
  assert.equal(text, "*4.99 EUR* for `88213`\nA map for eight");
  assert.deepEqual(
    message.blocks.map(({ type }) => type),
    ["header", "section", "context"],
  );
});

test("nothing that anybody wrote mentions somebody or links anywhere", () => {
  const hostile = "<!channel> <@U1> <https://evil.example|x> & @here &lt;!here&gt;";
  const facts = sampleFacts(PURCHASE, { ...OF, title: hostile, serviceName: "A|B <!here>" });
  const { title, text, message } = made(
    facts,
    withMessage(PURCHASE, { text: `{resource} ${hostile}` }),
  );
  const shown =
    "&lt;!channel&gt; &lt;@U1&gt; &lt;https://evil.example|x&gt; &amp; @here &amp;lt;!here&amp;gt;";
  assert.equal(title, `New sale: ${shown}`);
  assert.equal(text, `${shown} ${shown}`);
  assert.deepEqual(message.blocks.at(-1), {
    type: "context",
    elements: [{ type: "mrkdwn", text: `<${OF.url}|A|B &lt;!here&gt;> · ${TIME}`, verbatim: true }],
  });
});

test("a link is one that a browser opens, and nothing in it ends it", () => {
  const footerOf = (url: string): string =>
    JSON.stringify(made(sampleFacts("ping", { ...OF, url })).message.blocks.at(-1));
  assert.ok(
    footerOf("https://m.example/a|b?c=<d>&e").includes(
      "<https://m.example/a%7Cb?c=%3Cd%3E&amp;e|Market>",
    ),
  );
  for (const url of [
    "javascript:alert(1)",
    "https://user:x@m.example/",
    "no url",
    `https://m.example/${"a".repeat(2000)}`,
  ]) {
    assert.ok(footerOf(url).includes('"Market · <!date'), url);
  }
});

test("what is too long is cut after escaping, between characters, and the owner is told", () => {
  const title = made(sampleFacts(PURCHASE, { ...OF, title: "&".repeat(100) }));
  assert.equal(title.title, `New sale: ${"&amp;".repeat(27)}…`);
  assert.deepEqual(title.warnings, ["The title is longer than Slack takes and was cut."]);
  const facts = sampleFacts(UPDATE, OF);
  for (const unit of ["a", "&", "<", "👩‍👩‍👧", "a&👩"]) {
    for (let more = 0; more < 8; more += 1) {
      const description = `${"x".repeat(more)}${unit.repeat(3000)}`;
      const payload = JSON.parse(facts.payload);
      payload.update.description = description;
      const { text = "", warnings, message } = made({ ...facts, payload: JSON.stringify(payload) });
      assert.ok(text.length <= 3000 && text.length > 2950 && message.text.length <= 3000, unit);
      assert.ok(text.endsWith("…") && text.isWellFormed());
      assert.doesNotMatch(text, /&(?!(?:amp|lt|gt);)/);
      assert.deepEqual(warnings, ["The text is longer than Slack takes and was cut."]);
    }
  }
});

test("how much of the limits a message uses is counted as Slack counts", () => {
  const use = (of: EventFacts) =>
    messageLimits(slackMessage(of, DEFAULT_CHAT_OPTIONS)).map(({ used }) => used);
  assert.deepEqual(use(sampleFacts(UPDATE, { ...OF, title: "A&B" })), ["A&amp;B 1.1.0".length, 26]);
  assert.deepEqual(use(sampleFacts(PURCHASE, OF)), ["New sale: Castle".length, 0]);
});

test("a template that fails later is told, and the default message goes", () => {
  const { title, fault } = made(
    sampleFacts("ping", OF),
    withMessage("ping", { title: "{no such placeholder}" }),
  );
  assert.equal(title, "Ping: Castle");
  assert.equal(fault?.code, "unknown_placeholder");
});
