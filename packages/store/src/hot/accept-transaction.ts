import type { PreviousFileVersion } from "@markethook/protocol";
import type { OrderPair } from "../port/deliveries.ts";
import type { AcceptItem } from "../port/events.ts";

export interface AcceptContext {
  baseUrl: string;
}

/** An item with the keyed hash that stands for its first download, if it is one. */
export interface PreparedItem extends AcceptItem {
  fact?: string;
}

/**
 * What accepting needs of a database, in the order in which it is called. All batches arrive sorted, because
 * unsorted multi-row writes of concurrent transactions deadlock.
 */
export interface AcceptTransaction {
  /** First flight: hold the instance row, lock resources and order keys, read resources and webhooks, take numbers. */
  open(request: {
    life: number | null;
    /** Sorted; those in `locked` are about to change. */
    resourceIds: readonly string[];
    lockedResourceIds: readonly string[];
    /** Sorted, one per (resource, order key): a later accept about the same buyer waits here for ours. */
    orderLocks: readonly string[];
    numbers: number;
  }): Promise<OpenedAccept> | OpenedAccept;
  /** Inserts sorted rows; answers those that were there already. */
  claimKeys(rows: readonly KeyRow[]): Promise<KeyRow[]> | KeyRow[];
  claimFacts(rows: readonly FactRow[]): Promise<FactRow[]> | FactRow[];
  /** Takes back, sorted, what was claimed for items that turned out not to be stored. */
  dropKeys(keys: readonly string[]): Promise<void> | void;
  dropFacts(facts: readonly string[]): Promise<void> | void;
  /** Which of these (webhook, order key) pairs have an open delivery. */
  busy(pairs: readonly OrderPair[]): Promise<OrderPair[]> | OrderPair[];
  /** Last flight: everything is written and committed. */
  write(rows: AcceptWrites): Promise<void> | void;
}

export interface OpenedAccept {
  /** False: the life has ended. */
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
}

export interface KeyRow {
  key: string;
  bodyHash: string;
  eventSeq: number;
  tag: string;
}

export interface FactRow {
  /** Keyed hash of resource and user. */
  fact: string;
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
  life: number | null;
  now: number;
  /** New or changed, sorted by id. */
  resources: ResourceRow[];
  events: EventRow[];
  live: NewDelivery[];
  waiting: (NewDelivery & { blocked: boolean })[];
}
