import type { FileVersion, PreviousFileVersion, ReportedEventName } from "@markethook/protocol";
import type { OrderPair, QueuedDelivery } from "./deliveries.ts";
import type { EventAndWebhooks } from "./explanations.ts";
import type { StoredEvent, StoredEventSummary } from "./stored-event.ts";
import type { SendableWebhook } from "./webhooks.ts";

/** A resource as an event brings it along: what is absent stays as it is known. */
export interface BroughtResource {
  title: string;
  subtitle?: string;
  ownerId: string;
  /** The current file version; with an update the one before it. That of the update itself says nothing. */
  fileVersion?: PreviousFileVersion;
}

/** One reported event, already checked by the edge; texts are well-formed and hold no U+0000. */
export interface AcceptItem {
  resourceId: string;
  /** Comes along with the event and is stored in the same transaction. */
  resource?: BroughtResource;
  name: ReportedEventName;
  /** Unix seconds. */
  time: number;
  /** The random part of the event's public id. */
  tag: string;
  /** Of the three user events. */
  userId?: number;
  /** Of `product.update`. */
  update?: FileVersion;
  /** The update's time is the time of reporting, because none was given. A repeat may have another. */
  updateTimeIsDefault?: true;
  previous?: PreviousFileVersion;
  /** JSON text for chat messages and the log; never in a signed body. */
  details?: string;
  /** `bodyHash`: equal where the same was reported. */
  idempotency?: { key: string; bodyHash: string };
}

export type AcceptRefusal =
  | "resource_unknown"
  | "previous_unknown"
  | "idempotency_key_reused"
  | "update_id_reused"
  | "event_too_large";

export type AcceptResult =
  | { kind: "accepted"; eventId: string; deliveries: number }
  | { kind: "duplicate"; eventId: string }
  | Refused;

export interface Refused {
  kind: "rejected";
  code: AcceptRefusal;
  /** A sentence about this event. */
  detail?: string;
}

/** How much a dispatcher is ready to take over in memory, so that new deliveries can be pre-leased. */
export interface LeaseBudget {
  instanceNo: number;
  /** Room in its queue, in bytes of payload. */
  bytes: number;
  /** At most this many pre-leased deliveries per webhook. */
  share: number;
  /** Webhooks whose share in memory is used up. */
  full: readonly number[];
  /** Webhooks that were read so lately that they need not come along again. */
  read: readonly number[];
}

export interface AcceptOutcome {
  /** One per item, in order. */
  results: AcceptResult[];
  /** Deliveries that are leased to the budget's instance already. */
  preLeased: QueuedDelivery[];
  /**
   * Of the pre-leased deliveries' webhooks the plain ones that the lease budget does not name as read, and maybe others: as they were when
   * the events were stored. Chats, those in trouble or changing, and what cannot be opened are for
   * `WebhookStore.forSending`.
   */
  webhooks: SendableWebhook[];
  /** Deliveries stored that wait for a claim. */
  notPreLeased: number;
  /** Of those: what a claim would find now. What is held, or behind another, is no reason to look. */
  claimable: number;
  /** Where some of these wait behind an earlier one: to be woken when that one ends. */
  blocked: OrderPair[];
}

export interface EventFilter {
  /** Null: as the marketplace. */
  ownerId: string | null;
  resourceId?: string;
  userId?: number;
}

export interface EventStore {
  /**
   * Stores events with everything that follows from them: idempotency keys, first-download facts, file versions
   * and one delivery per matching webhook; in as few transactions as the limit of deliveries per commit allows
   * (one, unless fan-out is large). When it resolves, all of it is durable.
   *
   * @throws `store_unavailable`, `storage_full`, `outcome_unknown`: some or all of it may be stored, and leased; see
   * `DeliveryStore.releaseForgotten`. Never because of the lease: without an instance, deliveries are stored as pending.
   */
  accept(items: readonly AcceptItem[], budget: LeaseBudget | null): Promise<AcceptOutcome>;

  /** Null when absent, or when its resource belongs to another owner. */
  find(eventId: string, ownerId: string | null): Promise<StoredEvent | null>;

  /**
   * Reported events, newest first, `seq` below `beforeSeq`. Bounded as `DeliveryLog.list`, so a page may have fewer
   * than `limit`, also none; `nextSeq` null: there are no more.
   */
  list(
    filter: EventFilter,
    page: { beforeSeq: number | null; limit: number; examined?: number },
  ): Promise<{ items: StoredEventSummary[]; nextSeq: number | null }>;

  /** What became of the event at each webhook of its resource. Null when absent or foreign. */
  explain(eventId: string, ownerId: string | null): Promise<EventAndWebhooks | null>;
}
