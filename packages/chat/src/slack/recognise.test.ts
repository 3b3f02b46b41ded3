import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { chatFormatOf, dialledUrl } from "../chat-formats.ts";
import { recogniseSlack } from "./recognise.ts";
import { slack } from "./slack.ts";

const TOKEN = "aB3dE6gH9jK2mN5pQ8sT1vW4";
const SHOWN = "https://hooks.slack.com/services/T0123ABCD/B0456EFGH/…";
const CANONICAL = SHOWN.replace("…", TOKEN);

test("every form in which people have the address leads to one", () => {
  const forms = [
    CANONICAL,
    ` ${CANONICAL}\n`,
    `${CANONICAL}/`,
    `${CANONICAL}?x=1#top`,
    CANONICAL.replace("https:", "http:"),
    CANONICAL.replace("https://", ""),
    CANONICAL.replace("https://hooks.slack.com", "HTTPS://Hooks.Slack.COM:443"),
    CANONICAL.replace("slack.com", "slack.com."),
  ];
  for (const form of forms) {
    const target = { url: CANONICAL, shownUrl: SHOWN, threadId: null };
    assert.deepEqual(recogniseSlack(form), { target }, form);
  }
  assert.equal(chatFormatOf(CANONICAL)?.format, slack);
});

test("what is Slack's and no webhook gets a sentence that never repeats a token", () => {
  const faulty: [string, RegExp][] = [
    [
      `https://hooks.slack.com/triggers/T0123ABCD/3141592653589/${TOKEN}`,
      /starts a Slack workflow/,
    ],
    [`https://hooks.slack.com/workflows/T0123ABCD/A0/1/${TOKEN}`, /starts a Slack workflow/],
    ["https://hooks.slack.com/services/T0123ABCD/B0456EFGH", /not complete/],
    ["https://hooks.slack.com/services/T0123ABCD/B0456EFGH/", /not complete/],
    [CANONICAL.slice(0, -12), /not complete/],
    [`${CANONICAL}/x`, /not complete/],
    [`${CANONICAL}%20`, /not complete/],
    [SHOWN, /not complete/],
    ["hooks.slack.com/", /not complete/],
    ["https://castle.slack.com/archives/C0123/p1", /link to a Slack channel/],
    ["https://app.slack.com/client/T0123/C0123", /link to a Slack channel/],
    ["https://api.slack.com/apps", /not of a Slack webhook/],
    [CANONICAL.replace("hooks.", ""), /not of a Slack webhook/],
  ];
  for (const [url, sentence] of faulty) {
    const found = recogniseSlack(url);
    assert.ok(found !== null && "fault" in found, url);
    assert.match(found.fault, sentence, url);
    assert.ok(!found.fault.includes(TOKEN.slice(0, 10)));
  }
});

test("hosts that only look like Slack's are not recognised", () => {
  const others = [
    CANONICAL.replace("slack.com", "slack.com.evil.example"),
    CANONICAL.replace("hooks.slack", "hooks-slack"),
    CANONICAL.replace("hooks.slack.com", "evilslack.com"),
    CANONICAL.replace("slack.com", "slack.com@evil.example"),
    CANONICAL.replace("https://", "https://user:pass@"),
    CANONICAL.replace("slack.com", "slack.com:8443"),
    CANONICAL.replace("https:", "ftp:"),
    "",
    "slack",
    "https://",
  ];
  for (const url of others) assert.equal(recogniseSlack(url), null, url);
});

test("any text is judged without throwing", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      recogniseSlack(text);
      recogniseSlack(`https://hooks.slack.com/${text}`);
    }),
  );
});

test("a message is posted to the address, or to the origin that stands for Slack's", () => {
  const recognised = recogniseSlack(CANONICAL);
  assert.ok(recognised !== null && "target" in recognised);
  const message = { body: "{}", colour: null, warnings: [], fault: null };
  const userAgent = slack.userAgent({ url: "https://hooks.example", version: "1.0.0" });
  assert.equal(userAgent, "Markethook/1.0.0 (+https://hooks.example)");
  const how = { threadId: null, editMessageId: null, userAgent };
  assert.deepEqual(slack.request(recognised.target, message, { ...how, origin: null }), {
    method: "POST",
    url: CANONICAL,
    shownUrl: SHOWN,
    headers: [
      ["Content-Type", "application/json"],
      ["User-Agent", userAgent],
    ],
    body: "{}",
  });
  const origin = "http://127.0.0.1:8080";
  const { url, shownUrl } = slack.request(recognised.target, message, { ...how, origin });
  assert.equal(url, CANONICAL.replace("https://hooks.slack.com", origin));
  assert.ok(!shownUrl.includes(TOKEN));
  for (const form of [CANONICAL, CANONICAL.replace("https:", "http:")]) {
    assert.equal(dialledUrl(form, { slack: origin }), origin);
    assert.equal(dialledUrl(form, {}), form);
  }
  const other = "https://bot.example/services/T0123ABCD";
  assert.equal(dialledUrl(other, { slack: origin }), other);
});
