import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventName } from "@markethook/protocol";
import { type ChatOptions, DEFAULT_CHAT_OPTIONS, type MessageOptions } from "../chat-format.ts";
import type { EventFacts } from "../event-facts.ts";
import { sampleFacts } from "../sample-facts.ts";
import { type DiscordMessage, messageLimits } from "./message-form.ts";
import { discordEditedSale, discordMessage } from "./message.ts";

const OF = {
  title: "Castle",
  url: "https://market.example/resource/castle",
  serviceName: "Market",
};
const PURCHASE = "product.user.purchase";
const REMOVED = "product.user.purchaseRemoved";

function facts(event: EventName, details?: object | null): EventFacts {
  const sample = sampleFacts(event, OF);
  return details === undefined ? sample : { ...sample, details: JSON.stringify(details) };
}

function withMessage(event: EventName, message: MessageOptions): ChatOptions {
  return { ...DEFAULT_CHAT_OPTIONS, messages: { [event]: message } };
}

function made(of: EventFacts, options: ChatOptions = DEFAULT_CHAT_OPTIONS) {
  const { body, fault, warnings } = discordMessage(of, options);
  const message = JSON.parse(body) as DiscordMessage;
  const [embed] = message.embeds;
  const fields = embed.fields?.map(({ name, value }) => `${name}: ${value}`) ?? [];
  return { message, embed, fields, fault, warnings };
}

test("a sale tells who bought what for how much, and pings nobody", () => {
  const { message } = made(facts(PURCHASE));
  assert.deepEqual(message, {
    embeds: [
      {
        title: "New sale: Castle",
        url: OF.url,
        color: 0x2ecc71,
        fields: [
          { name: "Buyer", value: "Jo", inline: true },
          { name: "Amount", value: "4.99 EUR", inline: true },
          { name: "Order", value: "88213", inline: true },
        ],
        footer: { text: "Market" },
        timestamp: "2026-01-02T03:04:05.000Z",
      },
    ],
    allowed_mentions: { parse: [] },
  });
});

test("without details, a sale tells the user's id", () => {
  for (const details of [null, {}, { buyerName: " \u200b" }, [], "x"]) {
    assert.deepEqual(made(facts(PURCHASE, details as object)).fields, ["User: 4711"]);
  }
  assert.deepEqual(made({ ...facts(PURCHASE), details: "{" }).fields, ["User: 4711"]);
  assert.deepEqual(made({ ...facts(PURCHASE), details: null }).fields, ["User: 4711"]);
});

test("a refund, a chargeback and anything else are told apart by the reason", () => {
  const samples: [unknown, string, number, string[]][] = [
    ["refund", "Refunded: Castle", 0xe67e22, []],
    ["REFUNDED", "Refunded: Castle", 0xe67e22, []],
    ["Refund asked by buyer", "Refunded: Castle", 0xe67e22, ["Reason: Refund asked by buyer"]],
    ["Chargeback", "Charged back: Castle", 0xed4245, []],
    ["dispute", "Charged back: Castle", 0xed4245, []],
    ["by a moderator", "Removed: Castle", 0x95a5a6, ["Reason: by a moderator"]],
    [undefined, "Removed: Castle", 0x95a5a6, []],
    [7, "Removed: Castle", 0x95a5a6, ["Reason: 7"]],
  ];
  for (const [reason, title, colour, fields] of samples) {
    const { embed, fields: shown } = made(facts(REMOVED, { buyerName: "Jo", reason }));
    assert.deepEqual([embed.title, embed.color], [title, colour], String(reason));
    assert.deepEqual(shown, ["Buyer: Jo", ...fields], String(reason));
  }
});

test("an update tells from which version to which, and what is new", () => {
  const { embed, fields } = made(facts("product.update"));
  assert.equal(embed.title, "Castle 1.1.0");
  assert.equal(embed.description, "**The moat**\nNow with water.");
  assert.deepEqual(fields, ["Version: 1.0.2 → 1.1.0", "Branch: release", "Size: 1.2 MB"]);
});

test("a file's size is written for people", () => {
  const sizes: Record<string, string> = {
    "0": "0 B",
    "999": "999 B",
    "1000": "1.0 kB",
    "9960": "10 kB",
    "999499": "999 kB",
    "999500": "1.0 MB",
    "1240000": "1.2 MB",
    "2500000000": "2.5 GB",
    "999999999999999": "1000 TB",
  };
  for (const [size, expected] of Object.entries(sizes)) {
    const sample = facts("product.update");
    const payload = sample.payload.replace('"1240000"', JSON.stringify(size));
    assert.equal(made({ ...sample, payload }).fields[2], `Size: ${expected}`);
  }
});

test("a first download and a ping have messages of their own", () => {
  const download = made(facts("product.user.firstDownload"));
  assert.equal(download.embed.title, "First download: Castle");
  assert.deepEqual(download.fields, ["Buyer: Jo"]);
  const ping = made(facts("ping"));
  assert.equal(ping.embed.title, "Ping: Castle");
  assert.match(ping.embed.description ?? "", /This is a test/);
  assert.deepEqual(ping.fields, []);
});

test("the owner's title, text and colour stand in for the default ones", () => {
  const options = withMessage(PURCHASE, {
    title: "{buyer} owns {resource}",
    text: "**{amount} {currency}** at {time}\n[Order](https://shop.example/orders/{order}) {{x}}",
    colour: 0,
    fields: false,
  });
  const { embed, fault } = made(
    facts(PURCHASE, { ...JSON.parse(details()), orderId: "a/b c)" }),
    options,
  );
  assert.equal(fault, null);
  assert.equal(embed.title, "Jo owns Castle");
  assert.equal(
    embed.description,
    "**4.99 EUR** at 2026-01-02 03\\:04 UTC\n[Order](https://shop.example/orders/a%2Fb%20c%29) {x}",
  );
  assert.deepEqual([embed.color, embed.fields], [0, undefined]);
  assert.equal(
    made(facts(PURCHASE), withMessage(PURCHASE, { text: "" })).embed.description,
    undefined,
  );
});

function details(): string {
  return facts(PURCHASE).details ?? "{}";
}

test("a role that the owner chose is mentioned, and that one alone", () => {
  const { message } = made(
    facts(PURCHASE),
    withMessage(PURCHASE, { mentionRoleId: "123456789012345678" }),
  );
  assert.equal(message.content, "<@&123456789012345678>");
  assert.deepEqual(message.allowed_mentions, { parse: [], roles: ["123456789012345678"] });
  const odd = made(facts(PURCHASE), withMessage(PURCHASE, { mentionRoleId: "everyone" }));
  assert.equal(odd.message.content, undefined);
  assert.deepEqual(odd.message.allowed_mentions, { parse: [] });
});

test("a template that cannot be used gives way to the default message, and says so", () => {
  for (const broken of ["{buyers}", "{", "{reason}", "[x]({buyer})", "   ", "\u200b"]) {
    const { embed, fault } = made(
      facts(PURCHASE),
      withMessage(PURCHASE, { title: broken, text: "x" }),
    );
    assert.equal(embed.title, "New sale: Castle", broken);
    assert.equal(embed.description, undefined);
    assert.ok(fault !== null && fault.sentence.length > 0, broken);
  }
  const empty = made(facts(PURCHASE, {}), withMessage(PURCHASE, { title: "{order}" }));
  assert.match(empty.fault?.sentence ?? "", /empty/);
});

test("a sale that was taken back keeps its facts under a new title and colour", () => {
  const sale = { messageId: "1", facts: facts(PURCHASE) };
  const removal = {
    ...facts(REMOVED, { reason: "Dispute: not as described" }),
    time: 1_767_409_445,
  };
  const message = discordEditedSale(sale, removal, withMessage(PURCHASE, { text: "by {buyer}" }));
  assert.deepEqual(JSON.parse(message.body), {
    embeds: [
      {
        title: "Charged back: Castle",
        url: OF.url,
        color: 0xed4245,
        fields: [
          { name: "Buyer", value: "Jo", inline: true },
          { name: "Amount", value: "4.99 EUR", inline: true },
          { name: "Order", value: "88213", inline: true },
          { name: "Charged back", value: "2026-01-03 03\\:04 UTC", inline: true },
          { name: "Reason", value: "Dispute\\: not as described", inline: true },
        ],
        footer: { text: "Market" },
        timestamp: "2026-01-02T03:04:05.000Z",
        description: "by Jo",
      },
    ],
    allowed_mentions: { parse: [] },
  });
  const own = discordEditedSale(
    sale,
    facts(REMOVED, {}),
    withMessage(REMOVED, { title: "{buyer} is gone" }),
  );
  assert.equal((JSON.parse(own.body) as DiscordMessage).embeds[0].title, "Jo is gone");
});

test("the title links only to a page that Discord takes", () => {
  const urls: [unknown, string | undefined][] = [
    ["https://market.example/resource/castle", "https://market.example/resource/castle"],
    ["http://market.example/a b", "http://market.example/a%20b"],
    ["javascript:alert(1)", undefined],
    ["https://user@market.example/", undefined],
    ["http://localhost:8080/resource/castle", undefined],
    ["http://127.0.0.1:8080/resource/castle", undefined],
    [`https://market.example/${"a".repeat(2_100)}`, undefined],
    ["", undefined],
    [7, undefined],
  ];
  for (const [url, expected] of urls) {
    const payload = JSON.stringify({ product: { title: "Castle", url }, user: { id: 1 } });
    const { embed, warnings } = made({ ...facts(PURCHASE), payload });
    assert.equal(embed.url, expected, String(url));
    assert.equal(warnings.length, expected === undefined ? 1 : 0);
  }
});

test("the longest texts are cut at Discord's limits, and the owner is told", () => {
  const sample = facts("product.update");
  const update = {
    title: "*".repeat(500),
    description: "👩‍👩‍👧 ".repeat(7_000),
    version: "v".repeat(100),
  };
  const payload = JSON.stringify({
    product: { title: "T".repeat(500), url: OF.url },
    previous: { version: "*".repeat(100) },
    update: { ...update, branch: "b", size: "9" },
  });
  const message = discordMessage({ ...sample, payload }, DEFAULT_CHAT_OPTIONS);
  const used = messageLimits(message);
  for (const { part, used: count, limit } of used) assert.ok(count <= limit, part);
  assert.deepEqual(
    used.map(({ part }) => part),
    ["Title", "Text", "Fields", "Whole message"],
  );
  assert.equal(message.warnings.length, 2);
  assert.match(message.body, /…/);
});

test("facts that nobody should send still make a message", () => {
  const odd: Partial<EventFacts>[] = [
    { payload: "", details: "" },
    { payload: "null", details: "null" },
    { payload: '{"product":7,"user":[]}' },
    { payload: '{"product":{"title":"\u202e \u200b","id":"castle"}}' },
    { time: Number.NaN },
    { time: 1e300 },
    { time: -5 },
    { serviceName: "" },
  ];
  for (const change of odd) {
    for (const name of [PURCHASE, REMOVED, "product.update", "ping"] as const) {
      const { embed, fault } = made({ ...facts(name), ...change });
      assert.ok((embed.title ?? "").length > 0);
      assert.equal(fault, null);
    }
  }
  assert.equal(made({ ...facts(PURCHASE), time: Number.NaN }).embed.timestamp, undefined);
});
