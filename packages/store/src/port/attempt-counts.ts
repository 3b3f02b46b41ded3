import { EVENT_NAMES, type EventName } from "@markethook/protocol";

/** Results of a webhook's requests in one hour. */
export interface AttemptCount {
  webhookNo: number;
  /** Whole hours since the epoch. */
  hour: number;
  ok: number;
  failed: number;
  /** Failed attempts after which the delivery was given up; part of `failed`. */
  givenUp: number;
  /** Number of replies by duration: one number per entry of `REPLY_LIMITS_MS`, and one for slower replies. */
  replies: readonly number[];
  /** The last one; milliseconds since the epoch. */
  lastAt: number;
  lastOutcome: string;
  lastStatus: number | null;
  /** The last accepted one; milliseconds since the epoch, 0 if there was none in this hour. */
  lastOkAt: number;
  /** Event names that were accepted in this hour, as bits (`eventBit`). */
  okEvents: number;
}

/** Upper limits of the ranges of reply times, in milliseconds. */
export const REPLY_LIMITS_MS = [20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000] as const;

export const NO_REPLIES: readonly number[] = [...REPLY_LIMITS_MS.map(() => 0), 0];

/** The bit of an event name in `okEvents`. */
export function eventBit(name: EventName): number {
  return 1 << EVENT_NAMES.indexOf(name);
}

/** Rows older than this move to the history when their webhook gets a newer one. */
export const OLDEST_KEPT_HOURS = 48;

/** The history of a webhook goes back this far. */
export const HISTORY_HOURS = 31 * 24;

export function hourOf(ms: number): number {
  return Math.floor(ms / 3_600_000);
}

/** The subject of a sum. All null: every webhook of the service, also deleted ones. */
export interface CountScope {
  webhookNo: number | null;
  ownerId: string | null;
  resourceId: string | null;
}

/** `steps` sums of `stepHours` hours each, from `firstHour` on. */
export interface CountRange {
  firstHour: number;
  stepHours: number;
  steps: number;
}

export interface CountSum extends Pick<AttemptCount, "ok" | "failed" | "givenUp" | "replies"> {
  /** Counted from 0. */
  step: number;
}

/** Counts are stored apart from deliveries, so that a page about many webhooks need not count millions of rows. */
export interface AttemptCountStore {
  /**
   * Adds to the stored counts, all or nothing. Rows that are older than two days and not a webhook's newest move to the
   * history. At most one row for each webhook and hour, and no more rows at once than a commit may delay. Counts of
   * deleted webhooks are dropped.
   */
  add(counts: readonly AttemptCount[]): Promise<void>;
  /** Returns at least the rows of the last day and the newest one of each webhook. */
  list(webhookNos: readonly number[]): Promise<AttemptCount[]>;
  /** In order, without steps in which nothing was sent. Reads counts and the history, never deliveries. */
  sums(scope: CountScope, range: CountRange): Promise<CountSum[]>;
}
