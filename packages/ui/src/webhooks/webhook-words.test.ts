import assert from "node:assert/strict";
import { test } from "node:test";
import type { Webhook } from "@markethook/client";
import { webhookTitles } from "./webhook-words.ts";

test("webhooks of a resource that would look the same are told apart by the end of their ids", () => {
  const of = (resourceId: string, id: string, description = "") =>
    ({ resourceId, id, description, url: "https://bot.example/…" }) as Webhook; // No title needs more.
  const webhooks = [
    of("a", "wh_0001"),
    of("a", "wh_0002"),
    of("a", "wh_0003", "Bot"),
    of("b", "wh_4"),
  ];
  assert.deepEqual(
    [...webhookTitles(webhooks).values()],
    [
      "https://bot.example/… (0001)",
      "https://bot.example/… (0002)",
      "Bot",
      "https://bot.example/…",
    ],
  );
});
