import type { FileVersion, PreviousFileVersion, ReportedEventName } from "@markethook/protocol";
import type { OrderPair, QueuedDelivery } from "./deliveries.ts";
import type { DisabledReason, SendableWebhook, WebhookState } from "./webhooks.ts";
import type { DeliverySummary } from "./delivery-log.ts";
import type { LogPage, LogPosition } from "./log-page.ts";

/** A resource that comes along with an event. Absent members keep their stored values. */
export interface BroughtResource {
  title: string;
  subtitle?: string;
  ownerId: string;
  /** The current file version; with an update, the version before it. The update's own version does not count. */
  fileVersion?: PreviousFileVersion;
}

/** One reported event, already checked by the API. Texts are well-formed and contain no U+0000. */
export interface AcceptItem {
  resourceId: string;
  /** A resource that is stored in the same transaction. */
  resource?: BroughtResource;
  name: ReportedEventName;
  /** Unix seconds. */
  time: number;
  /** The random part of the event's public id. */
  tag: string;
  /** For user events. */
  userId?: number;
  /** For `product.update`. */
  update?: FileVersion;
  /** True if the update's time is the time of reporting, because none was given. A repeat may have another. */
  updateTimeIsDefault?: true;
  previous?: PreviousFileVersion;
  /** JSON text for chat messages, the log, and webhooks whose owner wants it sent along. */
  details?: string;
  /** `bodyHash`: equal for equal reports. */
  idempotency?: { key: string; bodyHash: string };
}

type AcceptRefusal =
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

/** How much the dispatcher is ready to take into memory, so that new deliveries can be pre-leased. */
export interface LeaseBudget {
  instanceNo: number;
  /** Room in its queue, in bytes of payload. */
  bytes: number;
  /** At most this many pre-leased deliveries per webhook. */
  share: number;
  /** Webhooks whose share in memory is full. */
  full: readonly number[];
  /** Webhooks that were read so lately that they need not be returned. */
  read: readonly number[];
}

export interface AcceptOutcome {
  /** One per item, in order. */
  results: AcceptResult[];
  /** Deliveries that are leased to the budget's instance already. */
  preLeased: QueuedDelivery[];
  /**
   * Webhooks of the pre-leased deliveries, as they were when the events were stored: the plain ones that the lease
   * budget does not name as read, and maybe others. `WebhookStore.forSending` reads the rest: chats, webhooks in
   * trouble or changing, and those that cannot be decrypted.
   */
  webhooks: SendableWebhook[];
  /** Number of stored deliveries that wait for a claim. */
  notPreLeased: number;
  /** Number of those that a claim would find now. Held and blocked ones are no reason to claim. */
  claimable: number;
  /** Order keys with deliveries behind an earlier one: wake them when that one ends. */
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
   * Stores events with everything that follows from them: idempotency keys, first downloads, file versions and one
   * delivery per matching webhook. Uses as few transactions as the limit of deliveries per commit allows (one, unless
   * the fan-out is large). When it resolves, all of it is durable.
   *
   * @throws `store_unavailable`, `storage_full`, `outcome_unknown`: some or all of it may be stored, and leased; see
   * `DeliveryStore.releaseForgotten`. Never because of the lease: without an instance, deliveries are stored as pending.
   */
  accept(items: readonly AcceptItem[], budget: LeaseBudget | null): Promise<AcceptOutcome>;

  /** Null when absent, or when its resource belongs to another owner. */
  find(eventId: string, ownerId: string | null): Promise<StoredEvent | null>;

  /** For the sender: JSON texts of the events' details as reported, by event. Absent: none, or erased. */
  details(eventSeqs: readonly number[]): Promise<ReadonlyMap<number, string>>;

  /** Reported events. */
  list(filter: EventFilter, page: LogPosition): Promise<LogPage<StoredEventSummary>>;

  /** The fate of the event at each webhook of its resource. Null when absent or foreign. */
  explain(eventId: string, ownerId: string | null): Promise<EventAndWebhooks | null>;
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
  /** True if its user was erased. */
  erased: boolean;
}

export type StoredEventSummary = Omit<StoredEvent, "payload" | "details">;

/** Stored facts of one webhook that concern one event. Times are milliseconds since the epoch. */
export interface WebhookAndEvent {
  webhookId: string;
  url: string;
  state: WebhookState;
  disabledReason: DisabledReason | null;
  /** When that state began, if known. */
  stateSince: number | null;
  chosenNow: boolean;
  createdAt: number;
  updatedAt: number;
  deletedAt: number | null;
  /** The newest delivery of the event to it. */
  delivery: DeliverySummary | null;
  /** The earlier delivery about the same buyer that it waits for. */
  behindDeliveryId: string | null;
}

export interface EventAndWebhooks {
  event: StoredEventSummary;
  /** Webhooks of the resource, deleted ones last; at most 100. */
  webhooks: WebhookAndEvent[];
}
