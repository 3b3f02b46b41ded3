import { headersOf, numberOf, UNNAMED_WAIT_MS, waitMs } from "../answer-parts.ts";
import type { ChatAnswer, ChatOutcome, ChatResponse } from "../chat-answer.ts";

/** Slack's own words in the bodies of its errors, after which the address is of no use. */
const ENDS: Readonly<Record<string, ChatOutcome>> = {
  no_active_hooks: "webhook_deleted",
  no_service: "webhook_deleted",
  no_service_id: "webhook_deleted",
  no_team: "webhook_deleted",
  invalid_token: "webhook_token",
  channel_is_archived: "webhook_forbidden",
  channel_not_found: "webhook_forbidden",
  user_not_found: "webhook_forbidden",
};

/** An answer to a message that was posted is `ok`: it tells neither the message's id nor a limit. */
export function readSlackAnswer({ status, headers, body }: ChatResponse): ChatAnswer {
  const throttled = status === 429;
  const seconds = numberOf(headersOf({ headers })("retry-after"));
  return {
    outcome: throttled ? "throttled" : outcomeOf(status, wordOf(body)),
    messageId: null,
    pace: null,
    retryAfterMs: throttled ? (seconds === null ? UNNAMED_WAIT_MS : waitMs(seconds)) : null,
    global: false,
    invalid: false,
  };
}

/** Slack names a fault by one word. An answer without it comes from a proxy or an outage, and disables no webhook. */
function outcomeOf(status: number, word: string | null): ChatOutcome {
  if (status >= 200 && status < 300) return "delivered";
  if (status === 413) return "refused";
  if (word === null || status < 400 || status >= 500) return "failed";
  const end = ENDS[word];
  if (end !== undefined) return end;
  if (status === 403) return "webhook_forbidden";
  return status === 400 ? "refused" : "failed";
}

function wordOf(body: string): string | null {
  const word = body.trim();
  return /^[a-z]{2,20}(_[a-z]{1,20}){1,6}$/.test(word) ? word : null;
}
