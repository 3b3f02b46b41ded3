import { HEALTHY, type HealthRow } from "../../packages/store/src/hot/webhook-health.ts";
import type {
  EventRow,
  DedupeKeyRow,
  KeyRow,
  NewDelivery,
  ResourceRow,
} from "../../packages/store/src/hot/accept-transaction.ts";

export interface OpenRow extends NewDelivery {
  lease: number;
  attempts: number;
  step: number;
  throttled: number;
  suspicion: number;
}

export interface LeasedRow extends OpenRow {
  instanceNo: number;
  started: boolean;
}

export interface PendingRow extends OpenRow {
  dueAt: number;
  blocked: number;
  suspectedIn: number | null;
}

interface EndedRow {
  seq: number;
  eventSeq: number;
  webhookNo: number;
  state: "delivered" | "dead" | "cancelled";
  attempts: number;
}

export interface WebhookModel {
  no: number;
  id: string;
  resourceId: string;
  ownerId: string;
  url: string;
  secret: string;
  state: "active" | "paused" | "disabled";
  reason: string | null;
  updatedAt: number;
  chat: { options: string; target: string } | null;
  health: HealthRow | null;
}

/** The rows of a database as plain lists, with what is asked of them most kept in order. */
export class ModelTables {
  readonly leased = new Map<number, LeasedRow>();
  readonly pending = new Map<number, PendingRow>();
  ended: EndedRow[] = [];
  attempts = new Set<string>();
  events = new Map<number, EventRow>();
  keys = new Map<string, KeyRow>();
  dedupeKeys = new Map<string, DedupeKeyRow>();
  resources = new Map<string, ResourceRow>();
  webhooks = new Map<number, WebhookModel>();
  instanceNos = new Map<
    number,
    { renewedAt: number; networkSuspected: boolean; survived: boolean }
  >();
  uncleanEnd = { instanceNo: 0, at: 0, beforeAt: 0, healthyAt: 0 };
  number = 0;
  instanceNo = 0;
  /** By webhook, the first due first. */
  readonly #dueOf = new Map<number, PendingRow[]>();
  /** Numbers of the open ones of a webhook and buyer, ascending. */
  readonly #openOf = new Map<string, number[]>();

  /** All rows as they are now. Rows that change are copied, others are shared. */
  copy(): ModelTables {
    const copy = new ModelTables();
    copy.#take(this);
    return copy;
  }

  /**
   * After a failover to a standby that has these rows: numbers come again, but not those of instances, which are partly
   * random in PostgreSQL.
   */
  become(standby: ModelTables): void {
    const { instanceNo } = this;
    this.#take(standby);
    this.instanceNo = instanceNo;
  }

  #take(from: ModelTables): void {
    this.leased.clear();
    this.pending.clear();
    this.#dueOf.clear();
    this.#openOf.clear();
    for (const row of from.leased.values()) this.addLeased({ ...row });
    for (const row of from.pending.values()) this.addPending({ ...row });
    this.ended = [...from.ended];
    this.attempts = new Set(from.attempts);
    this.events = new Map(from.events);
    this.keys = new Map(from.keys);
    this.dedupeKeys = new Map(from.dedupeKeys);
    this.resources = new Map(from.resources);
    this.webhooks = copyOf(from.webhooks);
    this.instanceNos = copyOf(from.instanceNos);
    this.uncleanEnd = { ...from.uncleanEnd };
    this.number = from.number;
    this.instanceNo = from.instanceNo;
  }

  addLeased(row: LeasedRow): void {
    this.leased.set(row.seq, row);
    this.#open(row);
  }

  takeLeased(seq: number): void {
    const row = this.leased.get(seq);
    if (row === undefined) return;
    this.leased.delete(seq);
    this.#close(row);
  }

  addPending(row: PendingRow): void {
    this.pending.set(row.seq, row);
    this.#open(row);
    const list = this.#dueOf.get(row.webhookNo);
    if (list === undefined) this.#dueOf.set(row.webhookNo, [row]);
    else list.splice(placeOf(list, row), 0, row);
  }

  takePending(row: PendingRow): void {
    this.pending.delete(row.seq);
    this.#close(row);
    const list = this.#dueOf.get(row.webhookNo) ?? [];
    list.splice(placeOf(list, row), 1);
    if (list.length === 0) this.#dueOf.delete(row.webhookNo);
  }

  /** The next webhook with something waiting. */
  webhookAfter(cursor: number): number | undefined {
    let next: number | undefined;
    for (const no of this.#dueOf.keys()) {
      if (no > cursor && (next === undefined || no < next)) next = no;
    }
    return next;
  }

  due(webhookNo: number, now: number, limit: number): PendingRow[] {
    const list = this.#dueOf.get(webhookNo) ?? [];
    let count = 0;
    while (count < limit && (list[count]?.dueAt ?? Infinity) <= now) count += 1;
    return list.slice(0, count);
  }

  /** Of a webhook and buyer, ascending. */
  openOf(webhookNo: number, orderKey: number): readonly number[] {
    return this.#openOf.get(`${webhookNo} ${orderKey}`) ?? [];
  }

  healthOf(webhookNo: number): HealthRow {
    return this.webhooks.get(webhookNo)?.health ?? HEALTHY;
  }

  #open({ webhookNo, orderKey, seq }: OpenRow): void {
    const pair = `${webhookNo} ${orderKey}`;
    const list = this.#openOf.get(pair);
    if (list === undefined) {
      this.#openOf.set(pair, [seq]);
      return;
    }
    let at = list.length;
    while (at > 0 && (list[at - 1] ?? 0) > seq) at -= 1;
    list.splice(at, 0, seq);
  }

  #close({ webhookNo, orderKey, seq }: OpenRow): void {
    const pair = `${webhookNo} ${orderKey}`;
    const list = this.#openOf.get(pair) ?? [];
    list.splice(list.indexOf(seq), 1);
    if (list.length === 0) this.#openOf.delete(pair);
  }
}

function copyOf<K, V extends object>(map: ReadonlyMap<K, V>): Map<K, V> {
  return new Map(Array.from(map, ([key, value]) => [key, { ...value }]));
}

/** Where it stands, or belongs. */
function placeOf(list: readonly PendingRow[], { dueAt, seq }: PendingRow): number {
  let from = 0;
  let to = list.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    const row = list[middle];
    if (row === undefined) break;
    if (row.dueAt < dueAt || (row.dueAt === dueAt && row.seq < seq)) from = middle + 1;
    else to = middle;
  }
  return from;
}
