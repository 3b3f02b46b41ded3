/** How far an erasure has come; opaque between steps, all members are needed to go on. */
export interface ErasurePosition {
  phase: "events" | "keys";
  /** The last event number looked at. */
  afterSeq: number;
  /** The last idempotency key looked at. */
  afterKey: string;
  /** Below the first event that was left because its request is on its way; null: none was. */
  againFrom: number | null;
}

export interface ErasureStep {
  /** Events of the user that were erased, or would be. */
  events: number;
  /** Their deliveries, cancelled ones included. */
  deliveries: number;
  /** Deliveries that had not ended and never will be sent. */
  cancelled: number;
  /** Events left for the next round: their requests are on their way now. */
  open: number;
  /** Rows looked at. */
  examined: number;
  /** Null: done. */
  next: ErasurePosition | null;
}

/**
 * Takes one user out of what is stored: id and details of their events, the bodies of requests and answers, messages
 * in chats. The events stay, for the counts. What was reported after the end is not touched.
 */
export interface ErasureStore {
  /** Stands for the user where their id must not. */
  nameOf(userId: number): string;
  /** One bounded step; the first one, `position` null, leaves an audit row. */
  step(userId: number, position: ErasurePosition | null): Promise<ErasureStep>;
  /** As `step`, and changes nothing. Open events are counted and not waited for. */
  count(userId: number, position: ErasurePosition | null): Promise<ErasureStep>;
  /** An audit row with these totals. */
  finish(userId: number, totals: { events: number; deliveries: number }): Promise<void>;
}
