import assert from "node:assert/strict";
import { test } from "node:test";
import { scrub } from "./scrub.ts";
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

test("parts of an address are hidden in every spelling, and words that are like them stay", () => {
  const hidden = (url: string, text: string): string =>
    scrub(sampleResult({ body: Buffer.from(text) }), sampleWebhook({ url })).body.toString();
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
