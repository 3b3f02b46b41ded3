import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDiscordTemplate } from "./template-rules.ts";

function faultOf(template: string): string | null {
  const parsed = parseDiscordTemplate("product.user.purchase", template);
  return "fault" in parsed ? parsed.fault.sentence : null;
}

test("placeholders may stand in text, in link words, and behind a site that is written out", () => {
  const fine = [
    "{buyer}, thank you",
    "**{buyer}** `{order}` # {resource}",
    "[{resource}](https://shop.example)",
    "[Order](https://shop.example/orders/{order})",
    "[Order](https://shop.example/?o={order}&u={user_id})",
    "https://shop.example/orders/{order}",
    "<https://shop.example/{order}> {buyer}",
    "2 < 3 and {buyer}",
    "me@example.com {buyer}",
    String.raw`\\{buyer}`,
    "https://shop.example {buyer}",
  ];
  for (const template of fine) assert.equal(faultOf(template), null, template);
});

test("a placeholder never chooses a site or a mention, nor loses its escape", () => {
  const refused: [string, RegExp][] = [
    ["[x]({buyer})", /site must be written out/],
    ["[x]( {buyer})", /site must be written out/],
    ["[x](<{buyer}>)", /site must be written out/],
    ["[x](https://{buyer})", /site must be written out/],
    ["[x](https://shop{buyer}/)", /site must be written out/],
    ["[x](https://a@{buyer}/x)", /site must be written out/],
    ['[x](https://shop.example/ "{buyer}")', /site must be written out/],
    ["https://{buyer}", /site must be written out/],
    ["https:/{buyer}", /site must be written out/],
    ["steam://{buyer}", /site must be written out/],
    ["<@{user_id}>", /An @|between < and >/],
    ["<#{user_id}>", /between < and >/],
    ["<t:{user_id}>", /between < and >/],
    ["@{buyer}", /An @/],
    [String.raw`\{buyer}`, /backslash/],
    [String.raw`\\\{buyer}`, /backslash/],
    ["{reason}", /There is no placeholder \{reason\}/],
  ];
  for (const [template, sentence] of refused) {
    assert.match(faultOf(template) ?? "", sentence, template);
  }
});
