/** A platform's answer as far as it was read. */
export interface ChatResponse {
  status: number;
  headers: readonly [name: string, value: string][];
  body: string;
}

export interface ChatAnswer {
  outcome: ChatOutcome;
  /** Of a new message, where the platform tells it. */
  messageId: string | null;
  /** The limits that it states; null: none. */
  pace: PaceFacts | null;
  /** `throttled`: to be waited out exactly. */
  retryAfterMs: number | null;
  /** `throttled`: everything sent from this address must wait, not this webhook alone. */
  global: boolean;
  /** It counts towards the platform's ban of addresses that send too many invalid requests. */
  invalid: boolean;
}

/**
 * `delivered`; `throttled`: again after `retryAfterMs`; `refused`: our fault, kept in the log and not tried again;
 * `message_gone`: the message to be edited is not there any more; `webhook_deleted`, `webhook_token`,
 * `webhook_forbidden`: the address is of no use to anybody any more; `failed`: the platform's trouble, by the schedule.
 */
export type ChatOutcome =
  | "delivered"
  | "throttled"
  | "refused"
  | "message_gone"
  | "webhook_deleted"
  | "webhook_token"
  | "webhook_forbidden"
  | "failed";

export interface PaceFacts {
  /** Requests that may follow until the reset. */
  remaining: number;
  limit: number;
  resetAfterMs: number;
}
