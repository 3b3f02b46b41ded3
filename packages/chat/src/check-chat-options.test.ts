import assert from "node:assert/strict";
import { test } from "node:test";
import { EVENT_NAMES } from "@markethook/protocol";
import * as fc from "fast-check";
import { type ChatOptions, DEFAULT_CHAT_OPTIONS, type MessageOptions } from "./chat-format.ts";
import { chatFormats } from "./chat-formats.ts";
import { checkChatOptions } from "./check-chat-options.ts";
import { discord } from "./discord/discord.ts";
import { placeholdersOf } from "./placeholders.ts";
import { sampleFacts } from "./sample-facts.ts";

const PURCHASE = "product.user.purchase";
const OF = { title: "T", url: "https://m.example/resource/t", serviceName: "M" };

function pointers(value: unknown): string[] {
  const checked = checkChatOptions(discord, value);
  return "faults" in checked ? checked.faults.map(({ pointer }) => pointer) : [];
}

test("what is chosen comes back, and the rest is as it is by default", () => {
  assert.deepEqual(checkChatOptions(discord, {}), {
    options: { messages: {}, refunds: "post", threadId: null },
  });
  const options = {
    messages: {
      ping: { title: "x" },
      [PURCHASE]: {
        title: "{buyer}",
        text: "",
        colour: 0xffffff,
        fields: false,
        mentionRoleId: "12345678901234567",
      },
    },
    refunds: "edit",
    threadId: "12345678901234567890",
  };
  assert.deepEqual(checkChatOptions(discord, options), { options });
});

test("what a platform does not have is refused in words that name the platform", () => {
  const has = { threads: null, roles: null, colours: false, fields: false };
  const optionRules = { ...discord.optionRules, ...has };
  const plain = { ...discord, label: "Plain", editedSale: null, optionRules };
  const id = "12345678901234567";
  const ping = { title: "T", text: "T", colour: 0, fields: true, mentionRoleId: id };
  const asked = { messages: { ping }, refunds: "edit", threadId: id };
  const lacking = [
    ["/refunds", "Plain changes no posted message."],
    ["/threadId", "Plain has no threads."],
    ["/messages/ping/colour", "Plain has no colours."],
    ["/messages/ping/fields", "Plain has no fields."],
    ["/messages/ping/mentionRoleId", "Plain has no roles."],
  ];
  assert.deepEqual(checkChatOptions(plain, asked), {
    faults: lacking.map(([pointer, sentence]) => ({ pointer, sentence, unknown: true })),
  });
  assert.ok("options" in checkChatOptions(plain, { refunds: "post", threadId: null }));
});

test("each faulty member is pointed at, all at once", () => {
  const message = (member: unknown): unknown => ({ messages: { [PURCHASE]: member } });
  const samples: [unknown, string[]][] = [
    [null, [""]],
    [[], [""]],
    ["x", [""]],
    [{ refunds: "both", threadId: 5, more: 1 }, ["/more", "/refunds", "/threadId"]],
    [{ threadId: "1" }, ["/threadId"]],
    [{ messages: [] }, ["/messages"]],
    [{ messages: { purchase: {}, "a/b~c": {} } }, ["/messages/purchase", "/messages/a~1b~0c"]],
    [message(null), [`/messages/${PURCHASE}`]],
    [message({ colour: -1 }), [`/messages/${PURCHASE}/colour`]],
    [message({ colour: 0x1000000 }), [`/messages/${PURCHASE}/colour`]],
    [message({ colour: 1.5 }), [`/messages/${PURCHASE}/colour`]],
    [message({ colour: "#fff" }), [`/messages/${PURCHASE}/colour`]],
    [message({ fields: 1 }), [`/messages/${PURCHASE}/fields`]],
    [message({ mentionRoleId: "@everyone" }), [`/messages/${PURCHASE}/mentionRoleId`]],
    [message({ username: "x" }), [`/messages/${PURCHASE}/username`]],
    [JSON.parse('{"__proto__": 1, "toString": 2}'), ["/__proto__", "/toString"]],
  ];
  for (const [value, expected] of samples) {
    assert.deepEqual(pointers(value), expected, JSON.stringify(value));
  }
});

test("templates that could not be used are refused when they are saved", () => {
  const titles = ["", "  ", "\u200b", "{", "}", "{nobody}", "a".repeat(257), "a\u0000", 5, null];
  for (const title of titles) {
    assert.deepEqual(pointers({ messages: { [PURCHASE]: { title } } }), [
      `/messages/${PURCHASE}/title`,
    ]);
  }
  for (const text of [" ", "{", "{reason}", "a".repeat(2001), false]) {
    assert.deepEqual(pointers({ messages: { [PURCHASE]: { text } } }), [
      `/messages/${PURCHASE}/text`,
    ]);
  }
  assert.deepEqual(pointers({ messages: { ping: { title: "a".repeat(256) } } }), []);
});

const EVERYWHERE = chatFormats.flatMap((format) => EVENT_NAMES.map((event) => ({ format, event })));

test("the default templates, and every placeholder, can be saved as they are on each platform", () => {
  for (const { format, event } of EVERYWHERE) {
    const written = (message: MessageOptions): ChatOptions => {
      const checked = checkChatOptions(format, { messages: { [event]: message } });
      assert.ok("options" in checked, `${format.name} ${event} ${JSON.stringify(message)}`);
      return checked.options;
    };
    for (const { name } of placeholdersOf(event)) {
      written({ title: `{${name}}`, text: `{${name}}` });
    }
    const facts = sampleFacts(event, OF);
    const untouched = format.message(facts, DEFAULT_CHAT_OPTIONS);
    assert.deepEqual(format.message(facts, written(format.defaultMessage(event))), untouched);
    assert.equal(untouched.colour !== null, format.optionRules.colours);
  }
});

test("any value is judged without throwing, and what passes makes messages without a fault", () => {
  const texts = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.string({ unit: fc.constantFrom("{buyer}", "{order}", "[a](", ")", "\\", "@", "<", " ") }),
  );
  const some = fc.record({ title: texts, text: texts, colour: fc.nat() }, { requiredKeys: [] });
  const values = fc.oneof(fc.anything(), fc.record({ messages: fc.record({ [PURCHASE]: some }) }));
  fc.assert(
    fc.property(values, (value) => {
      const checked = checkChatOptions(discord, value);
      if ("faults" in checked) return;
      assert.equal(discord.message(sampleFacts(PURCHASE, OF), checked.options).fault, null);
    }),
  );
});
