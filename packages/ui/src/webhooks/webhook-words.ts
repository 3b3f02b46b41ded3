import type { Webhook } from "@markethook/client";
import { CHAT_PLATFORMS } from "../chat/platforms.ts";
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
  gone: "Your server replied 410 Gone. It stays disabled until you resume it.",
  receiver_request: "Your server asked for it. It stays disabled until you resume it.",
  owner_changed: "The resource has another owner now.",
};

export function disabledWords({ format, disabledReason }: Webhook): string {
  const words: Readonly<Record<string, string>> = {
    ...DISABLED,
    ...CHAT_PLATFORMS[format]?.words.disabled,
  };
  return words[disabledReason ?? ""] ?? "It stays disabled until you resume it.";
}

/** What its owner calls it; of one without a description the address. */
export function webhookTitle({ url, description }: { url: string; description: string }): string {
  return description === "" ? url : description;
}

export function formatWord(format: string): string {
  return format === "json" ? "JSON" : (CHAT_PLATFORMS[format]?.words.channel ?? format);
}
