import type { PreviousFileVersion } from "@markethook/protocol";
import type { OrderPair } from "../port/deliveries.ts";
import type { AcceptItem } from "../port/events.ts";

export interface AcceptContext {
  baseUrl: string;
}

/** An item with the keyed hash that stands for its first download, if it is one. */
export interface PreparedItem extends AcceptItem {
  dedupeKey?: string;
}

/**
 * The operations of a database that accepting uses, in the order of their calls. All batches arrive sorted, because
 * unsorted multi-row writes of concurrent transactions deadlock.
 */
export interface AcceptTransaction {
  /**
   * First: locks the instance row, the resources that are about to change and the order keys of the items; then reads
   * resources and webhooks, and takes a number per item. A later accept about the same buyer waits here for ours.
   */
  open(
    instanceNo: number | null,
    items: readonly PreparedItem[],
  ): Promise<OpenedAccept> | OpenedAccept;
  /** Inserts sorted rows. Returns the rows that existed already. */
  claimKeys(rows: readonly KeyRow[]): Promise<KeyRow[]> | KeyRow[];
  /** Payloads of these events by number, if they are still stored. */
  payloads(eventSeqs: readonly number[]): Promise<Map<number, string>> | Map<number, string>;
  claimDedupeKeys(rows: readonly DedupeKeyRow[]): Promise<DedupeKeyRow[]> | DedupeKeyRow[];
  /** Deletes, sorted, keys that were claimed for items that are not stored after all. */
  dropKeys(keys: readonly string[]): Promise<void> | void;
  dropDedupeKeys(dedupeKeys: readonly string[]): Promise<void> | void;
  /** Returns which of these (webhook, order key) pairs have an open delivery. It is sent together with the claims. */
  busy(pairs: readonly OrderPair[]): Promise<OrderPair[]> | OrderPair[];
  /** Last: the commit follows at once, and fails if this does. */
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
  /** Null: it is no such item. */
  plain: PlainWebhookValues | null;
}

/**
 * Number, id, resource, owner, encrypted URL and encrypted secret of a plain webhook: the form in which a row leaves the
 * driver or goes to another thread.
 */
export type PlainWebhookValues = readonly unknown[];

/** Both as hexadecimal digits of the stored bytes. */
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
