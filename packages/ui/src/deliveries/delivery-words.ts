import type { Delivery } from "@markethook/client";
import type { Tone } from "../shared/state-label.tsx";

const STATE_WORDS: Readonly<Record<string, { word: string; tone: Tone }>> = {
  pending: { word: "Pending", tone: "busy" },
  waiting: { word: "Waiting", tone: "busy" },
  leased: { word: "Sending", tone: "busy" },
  held: { word: "Held", tone: "quiet" },
  delivered: { word: "Delivered", tone: "good" },
  dead: { word: "Failed", tone: "bad" },
  cancelled: { word: "Cancelled", tone: "quiet" },
};

export function stateWords(state: string): { word: string; tone: Tone } {
  return STATE_WORDS[state] ?? { word: state, tone: "quiet" };
}

const REASONS: Readonly<Record<string, string>> = {
  attempts_exhausted: "All attempts of the schedule have failed.",
  throttled_too_often: "Your server asked to be sent less too many times.",
  chat_refused: "The chat refused the message.",
  chat_deleted: "The webhook was deleted in the chat.",
  chat_token: "The chat no longer knows the webhook's URL.",
  chat_forbidden: "The chat does not let the webhook post.",
  webhook_deleted: "The webhook was deleted.",
  user_erased: "The buyer was erased before this was sent.",
  resource_deleted: "The resource was deleted.",
  owner_changed: "The resource has another owner now.",
  quarantined: "The service ended each time it sent this; it is sent alone, and later.",
  dropped: "It was held while the webhook was paused, and dropped on resuming.",
};

/** Why a delivery ended, in words; null where the state says it all. */
export function reasonWords(reason: string | null): string | null {
  if (reason === null) return null;
  return REASONS[reason] ?? reason.replaceAll("_", " ");
}

/** The buyer's name, what was paid, and the version of an update, as far as the marketplace told. */
export function aboutWords({ details, version }: Pick<Delivery, "details" | "version">): string[] {
  const { buyerName, amount, currency } = (details ?? {}) as Record<string, unknown>;
  const paid = [amount, currency].filter((part) => typeof part === "string").join(" ");
  return [buyerName, paid, version].filter(
    (part) => typeof part === "string" && part !== "",
  ) as string[];
}

export function originWord(origin: string): string | null {
  if (origin === "redelivery") return "sent by hand";
  return null;
}
