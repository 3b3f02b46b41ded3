import { jsonObject } from "@markethook/protocol/json-object";
import { headersOf, numberOf, UNNAMED_WAIT_MS, waitMs } from "../answer-parts.ts";
import type { ChatAnswer, ChatOutcome, ChatResponse, PaceFacts } from "../chat-answer.ts";

/** Discord's own codes in the bodies of its errors. */
const UNKNOWN_CHANNEL = 10003;
const UNKNOWN_MESSAGE = 10008;
const UNKNOWN_WEBHOOK = 10015;
const INVALID_WEBHOOK_TOKEN = 50027;
/** A program in front of Discord has refused the sender. This says nothing about the webhook. */
const NETWORK_ERROR = 40333;

/** The wait after our whole address was refused and no time was named. */
const BLOCKED_WAIT_MS = 600_000;

export function readDiscordAnswer({ status, headers, body }: ChatResponse): ChatAnswer {
  const header = headersOf({ headers });
  const said = jsonObject(body);
  const code = said === null ? null : numberOf(said["code"]);
  const blocked = isBlocked(status, said, code);
  const throttled = status === 429 || blocked;
  return {
    outcome: throttled ? "throttled" : outcomeOf(status, said, code),
    messageId: status >= 200 && status < 300 ? messageIdOf(said) : null,
    pace: paceOf(header),
    retryAfterMs: throttled ? waitOf(said, header, blocked) : null,
    global:
      throttled &&
      (blocked ||
        said?.["global"] === true ||
        header("x-ratelimit-global") === "true" ||
        header("x-ratelimit-scope") === "global"),
    invalid: isInvalid(status, header("x-ratelimit-scope")),
  };
}

/**
 * Discord answers in JSON. A page in HTML for 403 or 429 is the guard before it, which has shut out this address for
 * a while: no webhook may be given up for that.
 */
function isBlocked(
  status: number,
  said: Record<string, unknown> | null,
  code: number | null,
): boolean {
  if (status === 403) return said === null || code === NETWORK_ERROR;
  return status === 429 && said === null;
}

function outcomeOf(
  status: number,
  said: Record<string, unknown> | null,
  code: number | null,
): ChatOutcome {
  if (status >= 200 && status < 300) return "delivered";
  if (status === 401) return code === INVALID_WEBHOOK_TOKEN ? "webhook_token" : "failed";
  if (status === 403) return "webhook_forbidden";
  if (status === 404) {
    if (code === UNKNOWN_WEBHOOK) return "webhook_deleted";
    if (code === UNKNOWN_MESSAGE) return "message_gone";
    // The thread that the owner chose is gone: no later attempt can succeed.
    if (code === UNKNOWN_CHANNEL) return "refused";
    // Some proxy's or an outage's, without Discord's word that the webhook is gone.
    return "failed";
  }
  if (status === 408 || status === 425) return "failed";
  // A 400 that is not Discord's own (no JSON) is some proxy's trouble.
  if (status === 400) return said === null ? "failed" : "refused";
  return status > 400 && status < 500 ? "refused" : "failed";
}

/** Discord documents 401, 403 and 429; it has shut out senders for many 404 to webhooks, too. */
function isInvalid(status: number, scope: string | null): boolean {
  if (status === 429) return scope !== "shared";
  return status === 401 || status === 403 || status === 404;
}

function waitOf(
  said: Record<string, unknown> | null,
  header: (name: string) => string | null,
  blocked: boolean,
): number {
  const seconds =
    numberOf(said?.["retry_after"]) ??
    numberOf(header("retry-after")) ??
    numberOf(header("x-ratelimit-reset-after"));
  if (seconds === null) return blocked ? BLOCKED_WAIT_MS : UNNAMED_WAIT_MS;
  return waitMs(seconds);
}

function paceOf(header: (name: string) => string | null): PaceFacts | null {
  const limit = numberOf(header("x-ratelimit-limit"));
  const remaining = numberOf(header("x-ratelimit-remaining"));
  const reset = numberOf(header("x-ratelimit-reset-after"));
  if (limit === null || limit < 1 || remaining === null || reset === null) return null;
  return {
    limit: Math.min(Math.floor(limit), 10_000),
    remaining: Math.min(Math.floor(remaining), Math.floor(limit), 10_000),
    resetAfterMs: waitMs(reset),
  };
}

function messageIdOf(said: Record<string, unknown> | null): string | null {
  const id = said?.["id"];
  return typeof id === "string" && /^\d{1,20}$/.test(id) ? id : null;
}
