import type { PreviousFileVersion } from "@markethook/protocol";
import type { OrderPair } from "../port/deliveries.ts";
import type { AcceptItem } from "../port/events.ts";
import type { PlainWebhookValues } from "./plain-webhooks.ts";

export interface AcceptContext {
  baseUrl: string;
}

/** An item with the keyed hash that stands for its first download, if it is one. */
export interface PreparedItem extends AcceptItem {
  dedupeKey?: string;
}

/**
 * What accepting needs of a database, in the order in which it is called. All batches arrive sorted, because
 * unsorted multi-row writes of concurrent transactions deadlock.
 */
export interface AcceptTransaction {
  /**
   * First: hold the instance row, lock the items' resources that are about to change and their order keys, read
   * resources and webhooks, take a number per item. A later accept about the same buyer waits here for ours.
   */
  open(
    instanceNo: number | null,
    items: readonly PreparedItem[],
  ): Promise<OpenedAccept> | OpenedAccept;
  /** Inserts sorted rows; answers those that were there already. */
  claimKeys(rows: readonly KeyRow[]): Promise<KeyRow[]> | KeyRow[];
  /** Payloads of these events by number, of those that are still stored. */
  payloads(eventSeqs: readonly number[]): Promise<Map<number, string>> | Map<number, string>;
  claimDedupeKeys(rows: readonly DedupeKeyRow[]): Promise<DedupeKeyRow[]> | DedupeKeyRow[];
  /** Takes back, sorted, what was claimed for items that turned out not to be stored. */
  dropKeys(keys: readonly string[]): Promise<void> | void;
  dropDedupeKeys(dedupeKeys: readonly string[]): Promise<void> | void;
  /** Which of these (webhook, order key) pairs have an open delivery. Asked together with the claims. */
  busy(pairs: readonly OrderPair[]): Promise<OrderPair[]> | OrderPair[];
  /** Last: the commit follows at once, and fails where this does. */
  write(rows: AcceptWrites): void;
}

export interface OpenedAccept {
  /** False: the instance has ended. */
  held: boolean;
  /** Milliseconds since the epoch. */
  now: number;
  resources: ResourceRow[];
  webhooks: FanOutRow[];
  /** Ascending. */
  numbers: number[];
}

export interface ResourceRow {
  id: string;
  ownerId: string;
  title: string;
  subtitle: string;
  fileVersion: PreviousFileVersion | null;
}

export interface FanOutRow {
  no: number;
  resourceId: string;
  ownerId: string;
  /** Null: all. */
  mask: number | null;
  active: boolean;
  /** Null: it is not. */
  plain: PlainWebhookValues | null;
}

/** Both as hexadecimal digits of what is stored. */
export interface KeyRow {
  key: string;
  bodyHash: string;
  eventSeq: number;
  tag: string;
}

export interface DedupeKeyRow {
  /** Keyed hash of resource and user. */
  dedupeKey: string;
  eventSeq: number;
  tag: string;
}

export interface EventRow {
  seq: number;
  tag: string;
  resourceId: string;
  kind: number;
  time: number;
  userId: number | null;
  payload: string;
  details: string | null;
}

export interface NewDelivery {
  seq: number;
  eventSeq: number;
  webhookNo: number;
  kind: number;
  orderKey: number | null;
}

export interface AcceptWrites {
  instanceNo: number | null;
  /** The first lease's number of each new delivery. */
  lease: number;
  now: number;
  /** New or changed, sorted by id. */
  resources: ResourceRow[];
  events: EventRow[];
  leased: NewDelivery[];
  pending: (NewDelivery & { blocked: boolean })[];
}
