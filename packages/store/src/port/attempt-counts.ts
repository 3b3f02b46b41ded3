import { EVENT_NAMES, type EventName } from "@markethook/protocol";

/** What became of a webhook's requests in one hour. */
export interface AttemptCount {
  webhookNo: number;
  /** Whole hours since the epoch. */
  hour: number;
  ok: number;
  failed: number;
  /** The last one; milliseconds since the epoch. */
  lastAt: number;
  lastOutcome: string;
  lastStatus: number | null;
  /** The last accepted one; milliseconds since the epoch, 0 if there was none in this hour. */
  lastOkAt: number;
  /** Event names that were accepted in this hour, as bits (`eventBit`). */
  okEvents: number;
}

/** The bit of an event name in `okEvents`. */
export function eventBit(name: EventName): number {
  return 1 << EVENT_NAMES.indexOf(name);
}

/** Rows older than this go when their webhook gets a newer one. */
export const OLDEST_KEPT_HOURS = 48;

export function hourOf(ms: number): number {
  return Math.floor(ms / 3_600_000);
}

/** Kept apart from deliveries, so that a page about many webhooks need not count millions of rows. */
export interface AttemptCountStore {
  /**
   * Adds to what is there, all or nothing, and forgets what is older than two days and not a webhook's newest. One of
   * each webhook and hour at most, and no more at once than a commit may hold up; of deleted webhooks nothing is kept.
   */
  add(counts: readonly AttemptCount[]): Promise<void>;
  /** At least the last day's and the newest one of each webhook. */
  list(webhookNos: readonly number[]): Promise<AttemptCount[]>;
}
