/** Why a delivery of an erased user was cancelled. */
export const USER_ERASED = "user_erased";

/** Position of an erasure. It is opaque; every step needs all members. */
export interface ErasurePosition {
  phase: "events" | "keys";
  /** The last event number that was read. */
  afterSeq: number;
  /** The last idempotency key that was read. */
  afterKey: string;
  /** A number below the first event that was left because of an open request; null: none was left. */
  againFrom: number | null;
}

export interface ErasureStep {
  /** Number of the user's events that were erased, or would be. */
  events: number;
  /** Number of their deliveries, cancelled ones included. */
  deliveries: number;
  /** Number of deliveries that had not ended and will never be sent. */
  cancelled: number;
  /** Number of events left for the next round, because their requests are open now. */
  open: number;
  /** Number of rows that were read. */
  examined: number;
  /** Null: done. */
  next: ErasurePosition | null;
  /** True if `next` begins a new round, because this one left events whose requests are open. */
  again: boolean;
}

/**
 * Removes one user from the database: id and details of the user's events, the bodies of requests and answers, messages
 * in chats. The events stay, for the counts. Reports that begin after the newest events were read are not changed.
 * Instances are asked to cancel the deliveries that they have not begun to send.
 */
export interface ErasureStore {
  /** One bounded step. The first one, with `position` null, adds an audit row. */
  step(userId: number, position: ErasurePosition | null): Promise<ErasureStep>;
  /** Like `step`, but changes nothing. Counts events with open requests and does not wait for them. */
  count(userId: number, position: ErasurePosition | null): Promise<ErasureStep>;
  /** Adds an audit row with these totals. */
  finish(userId: number, totals: { events: number; deliveries: number }): Promise<void>;
}
