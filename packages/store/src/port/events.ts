import type { FileVersion, PreviousFileVersion, ReportedEventName } from "@markethook/protocol";
import type { OrderPair, QueuedDelivery } from "./deliveries.ts";

/** One reported event, already checked by the edge; texts are well-formed and hold no U+0000. */
export interface AcceptItem {
  resourceId: string;
  /** Comes along with the event and is stored in the same transaction. */
  resource?: { title: string; subtitle: string; ownerId: string };
  name: ReportedEventName;
  /** Unix seconds. */
  time: number;
  /** The random part of the event's public id. */
  tag: string;
  /** Of the three user events. */
  userId?: number;
  /** Of `product.update`. */
  update?: FileVersion;
  previous?: PreviousFileVersion;
  /** JSON text for chat messages and the log; never in a signed body. */
  details?: string;
  idempotency?: { key: string; bodyHash: Uint8Array };
}

export type AcceptRefusal =
  | "resource_unknown"
  | "previous_unknown"
  | "idempotency_key_reused"
  | "event_too_large";

export type AcceptResult =
  | { kind: "accepted"; eventId: string; deliveries: number }
  | { kind: "duplicate"; eventId: string }
  | { kind: "rejected"; code: AcceptRefusal };

/** How much a dispatcher is ready to take over in memory, so that new deliveries can be leased at birth. */
export interface Offer {
  life: number;
  /** Room in its queue, in bytes of payload. */
  bytes: number;
  /** At most this many births per webhook. */
  share: number;
  /** Webhooks whose share in memory is used up. */
  full: readonly number[];
}

export interface AcceptOutcome {
  /** One per item, in order. */
  results: AcceptResult[];
  /** Deliveries that are leased to the offer's life already. */
  births: QueuedDelivery[];
  /** Deliveries stored that wait for a claim. */
  unleased: number;
  /** Where some of these wait behind an earlier one: to be woken when that one ends. */
  blocked: OrderPair[];
}

export interface StoredEvent {
  eventId: string;
  resourceId: string;
  name: string;
  time: number;
  userId: number | null;
  /** JSON text as sent. */
  payload: string;
  details: string | null;
  /** Milliseconds since the epoch, by the database's clock. */
  acceptedAt: number;
}

export interface EventStore {
  /**
   * Stores events with everything that follows from them: idempotency keys, first-download facts, file versions
   * and one delivery per matching webhook; in as few transactions as the limit of deliveries per commit allows
   * (one, unless fan-out is large). When it resolves, all of it is durable.
   *
   * @throws `store_unavailable`, `storage_full`, `outcome_unknown`: some or all of it may be stored, and leased; see
   * `DeliveryStore.releaseForgotten`. Never because of the lease: without a life, deliveries are stored unleased.
   */
  accept(items: readonly AcceptItem[], offer: Offer | null): Promise<AcceptOutcome>;

  /** Null when absent, or when its resource belongs to another owner. */
  find(eventId: string, ownerId: string | null): Promise<StoredEvent | null>;
}
