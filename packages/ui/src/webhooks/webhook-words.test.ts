import assert from "node:assert/strict";
import { test } from "node:test";
import type { Webhook } from "@markethook/client";
import { webhookTitles, webhookTitlesAmongAll } from "./webhook-words.ts";

const of = (resourceId: string, id: string, description = "") =>
  ({ resourceId, id, description, url: "https://bot.example/…" }) as Webhook; // No title needs more.

test("webhooks of a resource that would look the same are told apart by the end of their ids", () => {
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

test("among the webhooks of all resources, one whose title another resource has too begins with its resource's", () => {
  const webhooks = [
    of("a", "wh_0001"),
    of("a", "wh_0002"),
    of("b", "wh_0003"),
    of("b", "wh_4", "Bot"),
  ];
  assert.deepEqual(
    [...webhookTitlesAmongAll(webhooks, [{ id: "a", title: "Castle" }]).values()],
    [
      "\u2068Castle\u2069 · https://bot.example/… (0001)",
      "\u2068Castle\u2069 · https://bot.example/… (0002)",
      "\u2068b\u2069 · https://bot.example/…",
      "Bot",
    ],
  );
});
