import assert from "node:assert/strict";
import { test } from "node:test";
import { scrub } from "./scrub.ts";
import type { SendResult } from "./send-result.ts";
import { sampleResult, sampleWebhook } from "../wiring/testing/samples.ts";

test("nothing that came back keeps the webhook's address, and what has none stays byte for byte", () => {
  const webhook = sampleWebhook({
    url: "https://discord.com/api/webhooks/1/toptoken-toptoken",
    shownUrl: "https://discord.com/api/webhooks/1/…",
  });
  const clean = scrub(
    sampleResult({
      detail: `cannot reach ${webhook.url}`,
      headers: [["Location", `${webhook.url}/slack`]],
      body: Buffer.from(`<a href="${webhook.url}">`),
    }),
    webhook,
  );
  assert.ok(!JSON.stringify({ ...clean, body: clean.body.toString() }).includes("toptoken"));
  assert.deepEqual(clean.headers, [["Location", "https://discord.com/api/webhooks/1/…/slack"]]);
  const bytes = Buffer.from([0xff, 0x00, 0x80]);
  assert.equal(scrub(sampleResult({ body: bytes }), webhook).body, bytes);
});

function hidden(url: string, text: string, more: Partial<SendResult> = {}): string {
  const result = sampleResult({ body: Buffer.from(text), ...more });
  return scrub(result, sampleWebhook({ url })).body.toString();
}

test("parts of an address are hidden in every spelling, and words that are like them stay", () => {
  const slack = "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX";
  for (const text of [
    "no such hook: XXXXXXXXXXXXXXXXXXXXXXXX",
    String.raw`{"path":"\/services\/T00000000\/B00000000\/XXXXXXXXXXXXXXXXXXXXXXXX"}`,
    "Cannot POST /services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
  ]) {
    assert.ok(!hidden(slack, text).includes("XXXXXXXX"), text);
  }
  const query = "https://bot.example/hook?token=a%20long%20token";
  assert.ok(!hidden(query, "token=a long token").includes("long"));
  assert.equal(hidden("https://bot.example/hook", "Cannot POST /hook"), "Cannot POST /…");
  assert.equal(
    hidden("https://bot.example/hook", "see http://www.bot.example/hook/"),
    "see http://www.bot.example/…/",
  );
  for (const text of ["a webhook", "/hooks", "fish/hook"]) {
    assert.equal(hidden("https://bot.example/hook", text), text);
  }
  assert.equal(hidden("https://bot.example/", "/"), "/");
});

const HOOK = "/hooks/s3cr3t-Token~Value/abc?key=A%2FB+c%20d&sig=Zz9";
const REPEATED: [string, string][] = [
  ["in HTML", HOOK.replace("&", "&amp;")],
  ["in JSON that escapes &", HOOK.replace("&", String.raw`\u0026`)],
  ["in JSON that escapes slashes", HOOK.replaceAll("/", String.raw`\/`)],
  ["as a parameter of another URL", `/login?next=${encodeURIComponent(HOOK)}`],
  ["in lower case", HOOK.toLowerCase()],
  ["in upper case", HOOK.toUpperCase()],
  ["decoded", decodeURIComponent(HOOK)],
  ["decoded as a form", decodeURIComponent(HOOK.replaceAll("+", " "))],
  ["behind letters that are longer in lower case", `\u0130\u0130 ${HOOK}`],
];

for (const [how, text] of REPEATED) {
  test(`an address that is repeated ${how} is hidden, its short parts too`, () => {
    const clean = hidden(`https://bot.example${HOOK}`, `Cannot POST ${text} here`);
    assert.match(clean, /^Cannot POST .*… here$/);
    assert.doesNotMatch(clean, /s3cr3t|token|abc|key|zz9/i);
  });
}

test("a body that is cut within the address keeps no beginning of it, and a whole one its end", () => {
  const url = `https://bot.example${HOOK}`;
  for (const length of [8, 20, HOOK.length - 1]) {
    const text = `Cannot POST ${HOOK.slice(0, length)}`;
    assert.equal(hidden(url, text, { bodyTruncated: true }), "Cannot POST /…");
    assert.equal(hidden(url, text, { category: "connection_closed" }), "Cannot POST /…");
  }
  const token = "no such hook: S3CR3T-TOKEN";
  assert.equal(hidden(url, token, { bodyTruncated: true }), "no such hook: …");
  for (const text of ["see /hooks", "ends otherwise"]) {
    assert.equal(hidden(url, text, { bodyTruncated: true }), text);
  }
  assert.equal(hidden(url, "see /hooks/s"), "see /hooks/s");
});

test("the address is found in a long text that repeats its beginning", () => {
  const path = `/${"a".repeat(2000)}b`;
  const text = "/" + "a".repeat(2_000_000) + path;
  const clean = hidden(`https://bot.example${path}`, text, { bodyTruncated: true });
  assert.equal(clean, `/${"a".repeat(2_000_000)}/…`);
});
