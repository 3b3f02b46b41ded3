import type { Webhook } from "@markethook/client";
import type { Tone } from "../shared/state-label.tsx";

export function webhookState(webhook: Webhook): { word: string; tone: Tone } {
  if (webhook.state === "paused") return { word: "Paused", tone: "quiet" };
  if (webhook.state === "disabled") return { word: "Disabled", tone: "bad" };
  if (webhook.failingSince !== null) return { word: "Failing", tone: "bad" };
  return { word: "Active", tone: "good" };
}

const DISABLED: Readonly<Record<string, string>> = {
  failing:
    "Every attempt has failed for five days. It is tried again now and then with the oldest delivery, and comes back by itself once that arrives.",
  gone: "The receiver answered 410 Gone. It stays disabled until you resume it.",
  receiver_request: "The receiver asked for it. It stays disabled until you resume it.",
  owner_changed: "The resource has another owner now.",
  chat_deleted:
    "The Discord webhook was deleted. Make a new one in Discord, enter its URL under Settings, and resume this webhook.",
  chat_token:
    "Discord no longer knows the last part of this webhook's URL. Copy the URL in Discord again, enter it under Settings, and resume this webhook.",
  chat_forbidden:
    "Discord does not let this webhook post: its channel or server has been closed to it. Make a webhook in another channel, enter its URL under Settings, and resume this webhook.",
};

export function disabledWords(reason: string | null): string {
  return DISABLED[reason ?? ""] ?? "It stays disabled until you resume it.";
}

const FORMATS: Readonly<Record<string, string>> = {
  json: "Signed JSON",
  discord: "Discord channel",
};

/** What its owner calls it; of one without a description the address. */
export function webhookTitle({ url, description }: { url: string; description: string }): string {
  return description === "" ? url : description;
}

export function formatWord(format: string): string {
  return FORMATS[format] ?? format;
}
