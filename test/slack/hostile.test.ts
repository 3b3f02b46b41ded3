import assert from "node:assert/strict";
import { test } from "node:test";
import {
  chatFormat,
  type ChatOptions,
  checkChatOptions,
  DEFAULT_CHAT_OPTIONS,
  type SlackMessage,
} from "@markethook/chat";
import { EVENT_NAMES } from "@markethook/protocol";
import { CODE_POINT } from "@markethook/protocol/testing";
import * as fc from "fast-check";
import { hostileFacts, hostileTexts } from "../discord/hostile-texts.ts";
import { faultsOf, sequencesOf } from "./message-rules.ts";

/** What Slack acts on besides, in all places at once. */
const SLACKS = [
  "<!channel>",
  "<!here|here>",
  "<!subteam^S0123ABCD>",
  "<@U0123ABCD>",
  "<#C0123ABCD|general>",
  "<https://evil.example|free>",
  "<mailto:a@evil.example|x>",
  "<!date^1^{date}^https://evil.example|x>",
  "&lt;!channel&gt;",
  "&amp;lt;!channel>",
  "@channel #general",
  "|",
  "&",
];

/** An owner's template that has user texts in all places, and sequences of the owner's own. */
const TEMPLATES: ChatOptions = options({
  title: "<!channel> {resource}<{resource}|{subtitle}>",
  text: "<!here><{resource}> *{resource}* `{subtitle}` <https://{resource}|{resource}> <@{subtitle}> &{resource};\n{{{resource}}}",
});

function options(message: object): ChatOptions {
  const messages = Object.fromEntries(EVENT_NAMES.map((event) => [event, message]));
  const checked = checkChatOptions(chatFormat("slack"), { messages });
  assert.ok("options" in checked);
  return checked.options;
}

function assertHarmless(text: string): void {
  for (const chosen of [DEFAULT_CHAT_OPTIONS, TEMPLATES]) {
    for (const event of EVENT_NAMES) {
      const { body } = chatFormat("slack").message(hostileFacts(event, text), chosen);
      // Made by our own format.
      const message = JSON.parse(body) as SlackMessage;
      assert.deepEqual(faultsOf(message), []);
      assert.deepEqual(sequencesOf(message), [
        "<https://market.example/resource/castle|Market>",
        "<!date^1767323045^{date_short_pretty} {time}|2026-01-02 03:04 UTC>",
      ]);
    }
  }
}

test("every message of every event is harmless, with the owner's templates too", () => {
  for (const text of [...SLACKS, ...SLACKS.map((one) => one.repeat(300)), ...hostileTexts(150)]) {
    assertHarmless(text);
  }
});

test("and so it is with any text", () => {
  const parts = fc.constantFrom(...SLACKS, ...hostileTexts(70));
  const texts = fc.oneof(
    fc.string({ unit: parts, maxLength: 12 }),
    fc.string({ unit: CODE_POINT }),
  );
  fc.assert(fc.property(texts, assertHarmless), { numRuns: 40 });
});
