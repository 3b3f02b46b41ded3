import { instant } from "@markethook/protocol";
import type { DeliverySummary, EventAndWebhooks, WebhookAndEvent } from "@markethook/store";
import type { Static } from "typebox";
import { eventSummaryView } from "./event-view.ts";
import { shownUrl } from "./receiver-format.ts";
import type { ExplanationView } from "../schemas/explanation.ts";

type Explanation = Static<typeof ExplanationView>;
type Line = Explanation["webhooks"][number];
type Judged = Pick<Line, "verdict" | "sentence"> & { since?: number | null };

const DISABLED: Readonly<Record<string, string>> = {
  failing: "The webhook was disabled because your server failed for days",
  gone: "The webhook was disabled because your server replied 410 Gone",
  receiver_request: "The webhook was disabled because your server asked for that",
  owner_changed: "The webhook was disabled because the resource changed hands",
  chat_deleted: "The webhook was disabled because it was deleted in the chat",
  chat_token: "The webhook was disabled because the chat no longer knows the token in its URL",
  chat_forbidden: "The webhook was disabled because the chat does not let it post",
};

const CANCELLED: Readonly<Record<string, string>> = {
  webhook_deleted: "The webhook was deleted before this could be sent.",
  user_erased: "The buyer was erased before this could be sent.",
  resource_deleted: "The resource was deleted before this could be sent.",
  owner_changed: "The resource changed hands before this could be sent.",
  dropped: "It was held while the webhook was paused or disabled, and dropped when that ended.",
};

/**
 * Explains, a line per webhook, why an event did or did not arrive, from stored facts. Deliveries from before
 * `keptSince` can have been pruned.
 */
export function explanationView(
  { event, webhooks }: EventAndWebhooks,
  keptSince: number,
): Explanation {
  const known = event.acceptedAt >= keptSince && !event.erased;
  return {
    event: eventSummaryView(event),
    webhooks: webhooks.flatMap((webhook) => {
      const judged = judge(webhook, event.acceptedAt);
      if (judged === null) return [];
      const line = lineOf(webhook, judged);
      return [known && canBeMade(webhook) ? Object.assign(line, { missing: true }) : line];
    }),
  };
}

function lineOf(webhook: WebhookAndEvent, { since, ...judged }: Judged): Line {
  return {
    webhookId: webhook.webhookId,
    url: shownUrl(webhook.url),
    ...judged,
    ...(since == null ? {} : { since: instant(since) }),
    ...(webhook.delivery === null ? {} : { deliveryId: webhook.delivery.deliveryId }),
    ...(webhook.behindDeliveryId === null ? {} : { behindDeliveryId: webhook.behindDeliveryId }),
  };
}

/** True if the event had no delivery to it, and can have one now. */
function canBeMade({ delivery, deletedAt, chosenNow, disabledReason }: WebhookAndEvent): boolean {
  return delivery === null && deletedAt === null && chosenNow && disabledReason !== "owner_changed";
}

function judge(webhook: WebhookAndEvent, acceptedAt: number): Judged | null {
  const { delivery } = webhook;
  return delivery === null ? judgeMissing(webhook, acceptedAt) : judgeDelivery(webhook, delivery);
}

/** Null: there was a delivery, but its time in the log is over. */
function judgeMissing(webhook: WebhookAndEvent, acceptedAt: number): Judged | null {
  const { createdAt, deletedAt, updatedAt } = webhook;
  if (createdAt > acceptedAt) {
    return {
      verdict: "created_later",
      sentence: "The webhook was added after this event.",
      since: createdAt,
    };
  }
  if (deletedAt !== null && deletedAt <= acceptedAt) {
    return {
      verdict: "deleted",
      sentence: "The webhook was deleted before this event.",
      since: deletedAt,
    };
  }
  if (!webhook.chosenNow) {
    return {
      verdict: "not_chosen",
      sentence: "This event is not among the webhook's chosen events.",
    };
  }
  if (updatedAt > acceptedAt) {
    return {
      verdict: "not_chosen",
      sentence: "This event was not among the chosen events when it came; it is now.",
    };
  }
  return null;
}

function judgeDelivery(webhook: WebhookAndEvent, delivery: DeliverySummary): Judged {
  switch (delivery.state) {
    case "delivered":
      return {
        verdict: "sent",
        sentence: `Sent, and your server accepted it${times(delivery.attempts)}.`,
        since: delivery.endedAt,
      };
    case "leased":
      return { verdict: "pending", sentence: "It is being sent now." };
    case "pending":
      return judgePending(delivery);
    case "waiting":
      return {
        verdict: "waiting",
        sentence: "It waits until an earlier event about the same buyer or resource has ended.",
      };
    case "held":
      return judgeHeld(webhook);
    case "cancelled":
      return {
        verdict: "cancelled",
        sentence: CANCELLED[delivery.reason ?? ""] ?? "It was cancelled before it could be sent.",
        since: delivery.endedAt,
      };
    case "dead":
      return judgeDead(delivery);
  }
}

function judgePending(delivery: DeliverySummary): Judged {
  const since = delivery.dueAt;
  if (delivery.lastOutcome === "blocked") {
    return {
      verdict: "blocked_address",
      sentence: "Your server's address is not allowed; it is tried again later.",
    };
  }
  if (delivery.reason === "quarantined") {
    return {
      verdict: "pending",
      sentence: `The service ended while sending it; it is sent alone${since === null ? "" : ` at ${instant(since)}`}.`,
    };
  }
  return delivery.attempts === 0
    ? { verdict: "pending", sentence: "It is about to be sent." }
    : {
        verdict: "pending",
        sentence: `It failed${times(delivery.attempts)} and is tried again${since === null ? "" : ` at ${instant(since)}`}.`,
      };
}

function judgeHeld({ state, disabledReason, stateSince }: WebhookAndEvent): Judged {
  if (state === "paused") {
    return {
      verdict: "paused_since",
      sentence: "The webhook is paused; this is held and goes out when it is resumed.",
      since: stateSince,
    };
  }
  if (state === "disabled") {
    const why = DISABLED[disabledReason ?? ""] ?? "The webhook was disabled";
    return {
      verdict: "disabled",
      sentence: `${why}; this is held until it is active again.`,
      since: stateSince,
    };
  }
  return { verdict: "held", sentence: "It is held for the moment." };
}

function judgeDead(delivery: DeliverySummary): Judged {
  const { lastOutcome, lastStatus, attempts, endedAt: since } = delivery;
  if (lastOutcome === "blocked") {
    return {
      verdict: "blocked_address",
      sentence: "Your server's address is not allowed; no request was sent.",
      since,
    };
  }
  if (lastOutcome === "chat_refused") {
    return { verdict: "failed", sentence: "The chat refused the message; see its reply.", since };
  }
  const answer = lastStatus === null ? (lastOutcome ?? "no reply") : `status ${lastStatus}`;
  return {
    verdict: "failed",
    sentence: `It failed${times(attempts)}, last with ${answer.replaceAll("_", " ")}, and is not tried again by itself.`,
    since,
  };
}

function times(attempts: number): string {
  return attempts > 1 ? ` after ${attempts} attempts` : "";
}
