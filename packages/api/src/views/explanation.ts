import { instant } from "@markethook/protocol";
import type { DeliverySummary, EventAndWebhooks, WebhookAndEvent } from "@markethook/store";
import type { Static } from "typebox";
import { eventSummaryView } from "./event-view.ts";
import { shownUrl } from "./receiver-format.ts";
import type { ExplanationView } from "../schemas/explanation.ts";

type Explanation = Static<typeof ExplanationView>;
type Line = Explanation["webhooks"][number];
type Judged = Pick<Line, "verdict" | "sentence"> & { since: number | null };

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
      const { delivery } = webhook;
      const judged =
        delivery === null
          ? judgeMissing(webhook, event.acceptedAt)
          : judgeDelivery(webhook, delivery);
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
    ...(since === null ? {} : { since: instant(since) }),
    ...(webhook.delivery === null ? {} : { deliveryId: webhook.delivery.deliveryId }),
    ...(webhook.behindDeliveryId === null ? {} : { behindDeliveryId: webhook.behindDeliveryId }),
  };
}

/** True if the event had no delivery to it, and can have one now. */
function canBeMade({ delivery, deletedAt, chosenNow, disabledReason }: WebhookAndEvent): boolean {
  return delivery === null && deletedAt === null && chosenNow && disabledReason !== "owner_changed";
}

/** Null: there was a delivery, but its time in the log is over. */
function judgeMissing(webhook: WebhookAndEvent, acceptedAt: number): Judged | null {
  const { createdAt, deletedAt, updatedAt } = webhook;
  if (createdAt > acceptedAt)
    return judgement("created_later", "The webhook was added after this event.", createdAt);
  if (deletedAt !== null && deletedAt <= acceptedAt)
    return judgement("deleted", "The webhook was deleted before this event.", deletedAt);
  if (!webhook.chosenNow)
    return judgement("not_chosen", "This event is not among the webhook's chosen events.");
  if (updatedAt <= acceptedAt) return null;
  const sentence = "This event was not among the chosen events when it came; it is now.";
  return judgement("not_chosen", sentence);
}

function judgeDelivery(webhook: WebhookAndEvent, delivery: DeliverySummary): Judged {
  const { attempts, endedAt, reason } = delivery;
  switch (delivery.state) {
    case "delivered":
      return judgement("sent", `Sent, and your server accepted it${times(attempts)}.`, endedAt);
    case "leased":
      return judgement("pending", "It is being sent now.");
    case "pending":
      return judgePending(delivery);
    case "waiting":
      return judgement(
        "waiting",
        "It waits until an earlier event about the same buyer or resource has ended.",
      );
    case "held":
      return judgeHeld(webhook);
    case "cancelled": {
      const why = CANCELLED[reason ?? ""] ?? "It was cancelled before it could be sent.";
      return judgement("cancelled", why, endedAt);
    }
    case "dead":
      return judgeDead(delivery);
  }
}

function judgePending({ lastOutcome, reason, attempts, dueAt }: DeliverySummary): Judged {
  const at = dueAt === null ? "" : ` at ${instant(dueAt)}`;
  if (lastOutcome === "blocked") {
    const sentence = "Your server's address is not allowed; it is tried again later.";
    return judgement("blocked_address", sentence);
  }
  if (reason === "quarantined")
    return judgement("pending", `The service ended while sending it; it is sent alone${at}.`);
  return attempts === 0
    ? judgement("pending", "It is about to be sent.")
    : judgement("pending", `It failed${times(attempts)} and is tried again${at}.`);
}

function judgeHeld({ state, disabledReason, stateSince }: WebhookAndEvent): Judged {
  if (state === "paused") {
    const sentence = "The webhook is paused; this is held and goes out when it is resumed.";
    return judgement("paused_since", sentence, stateSince);
  }
  if (state !== "disabled") return judgement("held", "It is held for the moment.");
  const why = DISABLED[disabledReason ?? ""] ?? "The webhook was disabled";
  return judgement("disabled", `${why}; this is held until it is active again.`, stateSince);
}

function judgeDead({ lastOutcome, lastStatus, attempts, endedAt }: DeliverySummary): Judged {
  if (lastOutcome === "blocked") {
    const sentence = "Your server's address is not allowed; no request was sent.";
    return judgement("blocked_address", sentence, endedAt);
  }
  if (lastOutcome === "chat_refused")
    return judgement("failed", "The chat refused the message; see its reply.", endedAt);
  const answer = lastStatus === null ? (lastOutcome ?? "no reply") : `status ${lastStatus}`;
  const last = answer.replaceAll("_", " ");
  const sentence = `It failed${times(attempts)}, last with ${last}, and is not tried again by itself.`;
  return judgement("failed", sentence, endedAt);
}

function judgement(
  verdict: Line["verdict"],
  sentence: string,
  since: number | null = null,
): Judged {
  return { verdict, sentence, since };
}

function times(attempts: number): string {
  return attempts > 1 ? ` after ${attempts} attempts` : "";
}
