import type { EventName } from "@markethook/protocol";
import type { AttemptRecord, DeliveryOrigin, EndState } from "./deliveries.ts";
import type { LogPage, LogPosition } from "./log-page.ts";

/** The shown states: `pending` and `held` are derived, never stored. */
export type ShownState = "pending" | "waiting" | "leased" | "held" | EndState;

export interface DeliverySummary {
  seq: number;
  deliveryId: string;
  eventId: string;
  eventName: EventName;
  /** Unix seconds. */
  eventTime: number;
  webhookId: string;
  resourceId: string;
  userId: number | null;
  state: ShownState;
  /** The reason of its end, if it needs one. `quarantined` while it waits: it ended the process that sent it. */
  reason: string | null;
  origin: DeliveryOrigin;
  attempts: number;
  lastOutcome: string | null;
  lastStatus: number | null;
  /**
   * JSON of the details that the marketplace sent for the log only, such as the buyer's name. Null: none, or erased.
   */
  details: string | null;
  /** For an update: the new file version's label. */
  version: string | null;
  /** Time of the next attempt of a pending delivery, in milliseconds since the epoch. */
  dueAt: number | null;
  createdAt: number;
  endedAt: number | null;
}

export interface DeliveryDetail extends DeliverySummary {
  payload: string;
  /**
   * End of the pause that keeps a due delivery waiting: the receiver asked for it in answer to another one. Milliseconds
   * since the epoch; null: none.
   */
  askedUntil: number | null;
  /** The newest `NEWEST_ATTEMPTS`, in order of number. */
  attemptRecords: AttemptRecord[];
}

/**
 * Attempts of one delivery that are read at once. A delivery that probes or "send now" keep trying can have thousands,
 * with a reply of 16 KiB each.
 */
export const NEWEST_ATTEMPTS = 50;

/**
 * How many of a webhook's next deliveries are read to find the pause that its receiver asked for. Its end is the column
 * `asked_until` of the delivery whose answer asked for it, which is not due before. No index contains that column.
 */
export const MOST_ASKED = 100;

export interface DeliveryFilter {
  /** Null: as the marketplace. */
  ownerId: string | null;
  resourceId?: string;
  webhookId?: string;
  eventName?: EventName;
  state?: ShownState;
  /** HTTP status of the last attempt. */
  status?: number;
  /** First digit of that status. */
  statusClass?: number;
  userId?: number;
  /** Public ids, from a search. Text that is no such id matches nothing. */
  deliveryId?: string;
  eventId?: string;
  /**
   * Part of a value of the payload or the details, or of a reply that is text. Upper and lower case are the same; no
   * character is a wildcard.
   */
  text?: string;
  /** Created at or after, before; milliseconds since the epoch. */
  from?: number;
  to?: number;
}

export interface DeliveryPage extends LogPage<DeliverySummary> {
  /** How many deliveries were searched for a text, and when the oldest of them was created (null: none was searched). */
  searched?: { deliveries: number; backTo: number | null };
}

/**
 * Events of a webhook's resource that it has chosen, that were accepted in this time, and that never had a delivery to
 * it.
 */
export interface MissingFilter {
  webhookId: string;
  ownerId: string | null;
  /** Milliseconds since the epoch; not before deliveries of that time can have been pruned. */
  from: number;
  to: number;
  events?: EventName[];
  /** Includes events of which a later one about the same buyer was sent. */
  confirmed: boolean;
}

/** Position of sending all waiting deliveries. Milliseconds since the epoch. */
export interface WaitingCursor {
  beganAt: number;
  dueAt: number;
  seq: number;
}

export interface ReplayFilter {
  webhookId: string;
  ownerId: string | null;
  from: number;
  to: number;
  /** Ended states to send again. Without `delivered`, deliveries that were sent again and arrived, or are under way, are left out. */
  states: EndState[];
  events?: EventName[];
}

/**
 * A reading of the deliveries that may change next. The caller compares it with the last one and so finds new and
 * changed deliveries. Sets are compared, not positions in a sequence, because numbers commit out of order.
 */
export interface WatchedDeliveries {
  /** Milliseconds since the epoch, by the database's clock. */
  now: number;
  deliveries: WatchedDelivery[];
  /** Webhooks with more open deliveries than asked for. */
  full: number[];
}

export interface WatchedDelivery {
  seq: number;
  webhookNo: number;
  /** A text that changes with the delivery. */
  mark: string;
  open: boolean;
  waiting: boolean;
  createdAt: number;
}

/** Failed deliveries whose last attempt had the same outcome, status and beginning of the answer. */
export interface FailureGroup {
  outcome: string;
  status: number | null;
  /** Whether any byte of the request was sent. */
  sent: boolean;
  /** The beginning of the newest answer's body, on one line; empty: there is none. */
  reply: string;
  count: number;
  /** Number of these that are not tried again. */
  givenUp: number;
  /** Times of the earliest and the latest of their last attempts; milliseconds since the epoch. */
  firstAt: number;
  lastAt: number;
  /** The newest one. */
  deliveryId: string;
}

export interface Failures {
  /** Newest first. */
  groups: FailureGroup[];
  /** Number of failed deliveries in groups that are left out. */
  others: number;
  /** True if there may be more than were read. */
  capped: boolean;
}

/** The operations on the log that add audit rows. */
export interface ActingLog {
  /**
   * Sends an ended delivery again as a new delivery of the same event.
   * @throws `not_found`, `delivery_not_ended`, `delivery_is_ping`, `redelivery_out_of_order` unless confirmed.
   */
  redeliver(
    deliveryId: string,
    ownerId: string | null,
    confirmed: boolean,
  ): Promise<{ deliveryId: string }>;
  /**
   * Makes a pending delivery due now, after the earlier ones about the same buyer, which are made due too. `earlier`:
   * their number. A pause that the receiver asked for ends.
   */
  sendNow(
    deliveryId: string,
    ownerId: string | null,
  ): Promise<{ deliveryId: string; earlier: number }>;
  /**
   * Number of a webhook's deliveries that wait for a later time (counts up to 100,000 and says so). `sending`: number
   * of those that are due or under way, at most as many.
   */
  countWaiting(
    webhookId: string,
    ownerId: string | null,
  ): Promise<{ count: number; capped: boolean; sending: number }>;
  /** Makes at most `limit` of them due now. Continue from `next` until that is null. */
  sendWaitingStep(
    webhookId: string,
    ownerId: string | null,
    from: WaitingCursor | null,
    limit: number,
  ): Promise<{ sent: number; next: WaitingCursor | null }>;
  /**
   * Reverts that for at most `limit` deliveries that no instance has leased yet: they wait for the time of their
   * schedule. Deliveries that are leased during the step do not count. `more`: call again.
   */
  stopWaitingStep(
    webhookId: string,
    ownerId: string | null,
    limit: number,
  ): Promise<{ stopped: number; more: boolean }>;
  /** Number of deliveries that a replay would send (counts up to 100,000 and says so). */
  countReplay(filter: ReplayFilter): Promise<{ count: number; capped: boolean }>;
  /**
   * One bounded step of a replay, oldest first: at most `limit` deliveries with `seq` above `afterSeq`. In a long log it
   * may find none. `nextSeq` null: done.
   */
  replayStep(
    filter: ReplayFilter,
    afterSeq: number,
    limit: number,
  ): Promise<{ sent: number; nextSeq: number | null }>;
  /** Number of missing events (counts about 100,000, or reads a million), and of those that are out of order. */
  countMissing(
    filter: MissingFilter,
  ): Promise<{ count: number; outOfOrder: number; capped: boolean }>;
  /**
   * Makes at most `limit` of the missing deliveries, oldest first, for events with `seq` above `afterSeq`. They keep
   * the order per buyer, after open deliveries. `nextSeq` null: done.
   */
  missingStep(
    filter: MissingFilter,
    afterSeq: number,
    limit: number,
  ): Promise<{ sent: number; nextSeq: number | null }>;
}

export interface DeliveryLog extends ActingLog {
  /** With a `text` it reads 5,000 deliveries (or `examined`), for two seconds at most. */
  list(filter: DeliveryFilter, page: LogPosition): Promise<DeliveryPage>;
  /** Reads deliveries of these webhooks; see `WatchedDeliveries`. */
  watch(webhookNos: readonly number[], perWebhook: number): Promise<WatchedDeliveries>;
  /** By number, in any order, without those that were deleted. */
  summaries(seqs: readonly number[]): Promise<(DeliverySummary & { webhookNo: number })[]>;
  /** Null when absent or foreign. */
  find(deliveryId: string, ownerId: string | null): Promise<DeliveryDetail | null>;
  /**
   * Number of deliveries that a webhook which is not active holds, or would hold (counts up to 100,000 and says so).
   * Those that an instance still gives back are not among them yet.
   */
  countHeld(webhookNo: number): Promise<{ count: number; capped: boolean }>;
  /**
   * Groups a webhook's failed deliveries: the newest 1,000 that were given up within a week and not sent again, and the
   * failed ones among 1,000 that wait. At most five groups.
   */
  failures(webhookId: string, ownerId: string | null): Promise<Failures>;
  /** Reserves the numbers of a ping before its request is sent. */
  reservePing(
    webhookId: string,
    ownerId: string | null,
  ): Promise<{ seq: number; deliverySeq: number; webhookNo: number }>;
  recordPing(ping: {
    seq: number;
    tag: string;
    webhookNo: number;
    resourceId: string;
    time: number;
    payload: string;
    state: "delivered" | "dead";
    attempt: AttemptRecord;
  }): Promise<void>;
  /** Sender profiles by number, for rebuilding requests. */
  profiles(): Promise<Map<number, { serviceName: string; userAgent: string }>>;
  /** Returns the number of this profile; stores a new one. */
  ensureProfile(profile: { serviceName: string; userAgent: string }): Promise<number>;
}
