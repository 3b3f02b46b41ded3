import type { OrderPair } from "../port/deliveries.ts";
import type { LeaseBudget } from "../port/events.ts";
import type {
  AcceptTransaction,
  EventRow,
  FanOutRow,
  NewDelivery,
  PlainWebhookValues,
  PreparedItem,
} from "./accept-transaction.ts";
import { kindOf, maskMatches } from "./kinds.ts";
import { deliveryNumber, orderKeyOf, UPDATE_ORDER_KEY } from "./numbers.ts";

/** A lease budget, without the part that earlier transactions of the same batch have used. */
export interface LeaseBudgetLeft extends LeaseBudget {
  /** Pre-leased deliveries per webhook. */
  used?: ReadonlyMap<number, number>;
}

type BusyPairs = ReadonlySet<number | string>;

/**
 * Makes one delivery per matching webhook of the resource's present owner. A delivery is pre-leased if the lease budget
 * has room, its webhook is active, and no earlier delivery of the same (webhook, order key) is open.
 */
export function fanOut(
  events: readonly EventRow[],
  webhooks: ReadonlyMap<string, readonly FanOutRow[]>,
  owners: ReadonlyMap<string, string>,
  budget: LeaseBudgetLeft | null,
  busy: BusyPairs,
) {
  const plan = {
    leased: [] as NewDelivery[],
    pending: [] as (NewDelivery & { blocked: boolean })[],
    /** Number of pending ones that are neither behind another nor held. */
    claimable: 0,
    /** Number of deliveries per event. */
    counts: new Map<number, number>(),
  };
  const taken = new Set<number | string>();
  const takeRoom = roomIn(budget, webhooks);
  for (const event of events) {
    let position = 0;
    for (const webhook of webhooks.get(event.resourceId) ?? []) {
      if (!maskMatches(webhook.mask, event.kind)) continue;
      if (webhook.ownerId !== owners.get(event.resourceId)) continue;
      const orderKey = orderKeyOf(event);
      const seq = deliveryNumber(event.seq, position);
      position += 1;
      const row = { seq, eventSeq: event.seq, webhookNo: webhook.no, kind: event.kind, orderKey };
      const pair = pairKey(webhook.no, orderKey);
      if (taken.has(pair) || busy.has(pair)) {
        plan.pending.push({ ...row, blocked: true });
      } else if (webhook.active && takeRoom(webhook.no, event.payload.length)) {
        plan.leased.push(row);
      } else {
        plan.pending.push({ ...row, blocked: false });
        if (webhook.active) plan.claimable += 1;
      }
      taken.add(pair);
    }
    plan.counts.set(event.seq, position);
  }
  return plan;
}

/**
 * Returns pairs of (webhook, order key) for which the items could bring a pre-leased delivery. They may be more than
 * needed, so that the query does not have to wait for other results.
 */
export function pairsOf(
  items: readonly PreparedItem[],
  webhooks: ReadonlyMap<string, readonly FanOutRow[]>,
): OrderPair[] {
  const pairs = new Map<number | string, OrderPair>();
  for (const item of items) {
    const orderKey = orderKeyOf(item);
    const kind = kindOf(item.name);
    for (const { no, mask, active } of webhooks.get(item.resourceId) ?? []) {
      if (active && maskMatches(mask, kind)) {
        pairs.set(pairKey(no, orderKey), { webhookNo: no, orderKey });
      }
    }
  }
  return [...pairs.values()];
}

/** The pairs that have an open delivery already. On SQLite it fails at once, not with a promise. */
export function busyPairs(
  tx: Pick<AcceptTransaction, "busy">,
  pairs: readonly OrderPair[],
): Promise<BusyPairs> | BusyPairs {
  if (pairs.length === 0) return new Set();
  const busy = tx.busy(pairs);
  return Array.isArray(busy) ? keysOf(busy) : busy.then(keysOf);
}

function keysOf(pairs: readonly OrderPair[]): BusyPairs {
  return new Set(pairs.map((pair) => pairKey(pair.webhookNo, pair.orderKey)));
}

/** The plain webhooks of the pairs that the leasing instance has not read lately. */
export function unreadWebhooks(
  webhooks: readonly FanOutRow[],
  pairs: readonly OrderPair[],
  read: readonly number[],
): PlainWebhookValues[] {
  const unread = new Set(pairs.map((pair) => pair.webhookNo));
  for (const no of read) unread.delete(no);
  return webhooks.flatMap(({ no, plain }) => (plain !== null && unread.has(no) ? [plain] : []));
}

/** Returns a function that takes room for one delivery, and says whether there was any. */
function roomIn(
  budget: LeaseBudgetLeft | null,
  webhooks: ReadonlyMap<string, readonly FanOutRow[]>,
) {
  const used = new Map(budget?.used);
  const share = budget?.share ?? 0;
  let bytesLeft = budget?.bytes ?? 0;
  const full = budget?.full ?? [];
  if (full.length > 0) {
    // There may be far more full webhooks than these events have.
    const nos = new Set([...webhooks.values()].flatMap((some) => some.map(({ no }) => no)));
    for (const no of full) if (nos.has(no)) used.set(no, share);
  }
  return (webhookNo: number, bytes: number): boolean => {
    const count = used.get(webhookNo) ?? 0;
    if (count >= share || bytesLeft < bytes) return false;
    bytesLeft -= bytes;
    used.set(webhookNo, count + 1);
    return true;
  };
}

/** Combines two small numbers into one key; a text key would have to be made, hashed and thrown away. */
function pairKey(webhookNo: number, orderKey: number): number | string {
  return webhookNo < TWO_20 && orderKey >= UPDATE_ORDER_KEY && orderKey < TWO_32 - 1
    ? webhookNo * TWO_32 + (orderKey - UPDATE_ORDER_KEY)
    : `${webhookNo} ${orderKey}`;
}

const TWO_20 = 2 ** 20;
const TWO_32 = 2 ** 32;
