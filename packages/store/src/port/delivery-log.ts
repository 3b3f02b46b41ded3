import type { EventName } from "@markethook/protocol";
import type { AttemptRecord, DeliveryOrigin, EndState } from "./deliveries.ts";

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
  /** Why it ended as it did, where that needs a word; `quarantined` while it waits: it ended the process that sent it. */
  reason: string | null;
  origin: DeliveryOrigin;
  attempts: number;
  lastOutcome: string | null;
  lastStatus: number | null;
  /** JSON: what the marketplace told for the log only, such as the buyer's name; null: nothing, or it was erased. */
  details: string | null;
  /** Of an update: the new file version's label. */
  version: string | null;
  /** Milliseconds since the epoch. Next attempt of a pending delivery. */
  dueAt: number | null;
  createdAt: number;
  endedAt: number | null;
}

export interface DeliveryDetail extends DeliverySummary {
  payload: string;
  /** In order of number. */
  attemptRecords: AttemptRecord[];
}

export interface DeliveryFilter {
  /** Null: as the marketplace. */
  ownerId: string | null;
  resourceId?: string;
  webhookId?: string;
  eventName?: EventName;
  state?: ShownState;
  /** HTTP status of the last attempt. */
  status?: number;
  userId?: number;
  /** Public ids, from a search; what is no such id matches nothing. */
  deliveryId?: string;
  eventId?: string;
  /**
   * Stands in a value of the payload or the details, or in a reply that is text; whatever its case, and no character of
   * it is a wildcard.
   */
  text?: string;
  /** Created at or after, before; milliseconds since the epoch. */
  from?: number;
  to?: number;
}

export interface DeliveryPage {
  items: DeliverySummary[];
  nextSeq: number | null;
  /** Where a text was looked for: in how many deliveries, and when the oldest of them was created; null: in none. */
  searched?: { deliveries: number; backTo: number | null };
}

/** Events of a webhook's resource that it has chosen, accepted in this time, and never had a delivery to it. */
export interface MissingFilter {
  webhookId: string;
  ownerId: string | null;
  /** Milliseconds since the epoch; not before deliveries of that time can have been pruned. */
  from: number;
  to: number;
  events?: EventName[];
  /** Also those that come after a later event about the same buyer was sent. */
  confirmed: boolean;
}

/** How far sending all that waits has come. Milliseconds since the epoch. */
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
  /** Ended states to send again. */
  states: EndState[];
  events?: EventName[];
}

/**
 * A look at the deliveries that may change next: who looks again and compares sees what was created and what
 * changed. Sets are compared, not positions in a sequence, because numbers commit out of order.
 */
export interface WatchedDeliveries {
  /** Milliseconds since the epoch, by the database's clock. */
  now: number;
  deliveries: WatchedDelivery[];
  /** Webhooks of which there were more than asked for. */
  full: number[];
}

export interface WatchedDelivery {
  seq: number;
  webhookNo: number;
  /** Equal as long as nothing about the delivery has changed. */
  mark: string;
  open: boolean;
  waiting: boolean;
  createdAt: number;
}

/** Failed deliveries whose last attempt had the same outcome, status and beginning of the answer. */
export interface FailureGroup {
  outcome: string;
  status: number | null;
  /** Whether any of the request left. */
  sent: boolean;
  /** The beginning of the newest answer's body, on one line; empty: there is none. */
  reply: string;
  count: number;
  /** So many of them are not tried again. */
  givenUp: number;
  /** Last attempts, the earliest and the latest; milliseconds since the epoch. */
  firstAt: number;
  lastAt: number;
  /** The newest one. */
  deliveryId: string;
}

export interface Failures {
  /** Newest first. */
  groups: FailureGroup[];
  /** Failed deliveries in groups that are left out. */
  others: number;
  /** There may be more than were looked at. */
  capped: boolean;
}

export interface DeliveryLog {
  /**
   * Newest first, `seq` below `beforeSeq`; go on from `nextSeq` until it is null. Each statement reads a bounded number
   * of rows, and a call ends after a tenth of a second of looking (or after about `examined` rows), so a page may have
   * fewer than `limit`, also none. With a `text` it looks at 5,000 deliveries (or `examined`), and for two seconds.
   */
  list(
    filter: DeliveryFilter,
    page: { beforeSeq: number | null; limit: number; examined?: number },
  ): Promise<DeliveryPage>;
  /** What changed among the deliveries of these webhooks; see `WatchedDeliveries`. */
  watch(webhookNos: readonly number[], perWebhook: number): Promise<WatchedDeliveries>;
  /** By number, in any order; those that are not there any more are left out. */
  summaries(seqs: readonly number[]): Promise<(DeliverySummary & { webhookNo: number })[]>;
  /** Null when absent or foreign. */
  find(deliveryId: string, ownerId: string | null): Promise<DeliveryDetail | null>;
  /**
   * What a webhook's failed deliveries have in common: of the newest 1,000 that were given up within a week, and of 1,000
   * that wait, those that failed. Five groups at most.
   * @throws `not_found`
   */
  failures(webhookId: string, ownerId: string | null): Promise<Failures>;
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
   * Makes a pending delivery due now, after the earlier ones about the same buyer, which are made due too. `earlier`: how
   * many those are. A pause that the receiver asked for ends by it.
   * @throws `not_found`, `delivery_ended`, `webhook_not_active` where it is held.
   */
  sendNow(
    deliveryId: string,
    ownerId: string | null,
  ): Promise<{ deliveryId: string; earlier: number }>;
  /**
   * How many deliveries of a webhook wait for a later time (counts up to 100,000 and says so); `sending`: how many are
   * due or have been taken to be sent, at most as many.
   */
  countWaiting(
    webhookId: string,
    ownerId: string | null,
  ): Promise<{ count: number; capped: boolean; sending: number }>;
  /**
   * Makes at most `limit` of them due now, to go on from `next` until that is null.
   * @throws `not_found`, `webhook_not_active` where they are held.
   */
  sendWaitingStep(
    webhookId: string,
    ownerId: string | null,
    from: WaitingCursor | null,
    limit: number,
  ): Promise<{ sent: number; next: WaitingCursor | null }>;
  /**
   * Takes that back for at most `limit` that no instance has taken yet: they wait for the time that their schedule has.
   * Returns how many; fewer than `limit`: there are no more.
   */
  stopWaitingStep(webhookId: string, ownerId: string | null, limit: number): Promise<number>;
  /** How many deliveries a replay would send (counts up to 100,000 and says so). */
  countReplay(filter: ReplayFilter): Promise<{ count: number; capped: boolean }>;
  /**
   * One bounded step of a replay, oldest first: at most `limit` deliveries with `seq` above `afterSeq`.
   * `nextSeq` null: done.
   */
  replayStep(
    filter: ReplayFilter,
    afterSeq: number,
    limit: number,
  ): Promise<{ sent: number; nextSeq: number | null }>;
  /** How many events are missing (about 100,000 are counted, or a million looked at), and how many are out of order. */
  countMissing(
    filter: MissingFilter,
  ): Promise<{ count: number; outOfOrder: number; capped: boolean }>;
  /**
   * Makes at most `limit` of the missing deliveries, oldest first, of events with `seq` above `afterSeq`; in their
   * buyer's order, after what is open. `nextSeq` null: done.
   */
  missingStep(
    filter: MissingFilter,
    afterSeq: number,
    limit: number,
  ): Promise<{ sent: number; nextSeq: number | null }>;
  /** Reserves the numbers of a ping before its request goes out. */
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
  /** Sender profiles by number, to rebuild requests with. */
  profiles(): Promise<Map<number, { serviceName: string; userAgent: string }>>;
  /** The number of this profile, made if new. */
  ensureProfile(profile: { serviceName: string; userAgent: string }): Promise<number>;
}
