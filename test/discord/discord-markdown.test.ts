import assert from "node:assert/strict";
import { test } from "node:test";
import { readMarkdown } from "./discord-markdown.ts";

test("the reader finds what Discord makes mentions of", () => {
  const samples: [string, string[]][] = [
    ["hi @everyone and @here", ["everyone", "here"]],
    ["<@12> <@!12> <@&12> <#12>", ["user 12", "user 12", "role 12", "channel 12"]],
    [
      "</ban:1> <:a:1> <a:b:1> <t:1> <t:-1:R> <id:browse>",
      ["command", "emoji", "emoji", "time", "time", "navigation"],
    ],
    [String.raw`\@everyone \<@12> <\@12> \<\#12\>`, []],
    ["`@everyone` ```<@12>```", []],
    ["**@here**", ["here"]],
  ];
  for (const [text, mentions] of samples) assert.deepEqual(readMarkdown(text).mentions, mentions);
});

test("the reader finds masked links, links and invitations", () => {
  const masked = [
    "[a](https://evil.example)",
    "[a]( <https://evil.example> )",
    '[a](https://evil.example "t")',
    "[[a]](https://evil.example)",
    String.raw`[a](https\://evil.example)`,
  ];
  for (const text of masked) {
    assert.deepEqual(readMarkdown(text).maskedLinks, ["https://evil.example"], text);
  }
  const links = "https://a.example <https://b.example> discord.gg/c www.discord.com/invite/d";
  assert.equal(readMarkdown(links).autolinks.length, 4);
  const harmless = String.raw`\[a\]\(https\:\/\/evil.example\) discord\.gg\/c`;
  const { maskedLinks, autolinks, shown } = readMarkdown(harmless);
  assert.deepEqual([maskedLinks, autolinks], [[], []]);
  assert.equal(shown, "[a](https://evil.example) discord.gg/c");
});

test("the reader finds styles, and what begins a line", () => {
  for (const [text, mark] of [
    ["# a", "heading"],
    ["x\n### a", "heading"],
    ["-# a", "small"],
    ["- a", "list"],
    ["1. a", "list"],
    ["> a", "quote"],
    ["||a||", "spoiler"],
    ["`a`", "code"],
  ] as const) {
    assert.ok(readMarkdown(text).marks.includes(mark), text);
  }
  assert.deepEqual(readMarkdown(String.raw`\# a \|\|b\|\| \-\# 1\. x-# #y`).marks, []);
});
