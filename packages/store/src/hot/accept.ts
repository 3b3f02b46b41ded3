import { eventId, type EventName, LIMITS } from "@markethook/protocol";
import type { QueuedDelivery } from "../port/deliveries.ts";
import type { AcceptOutcome, AcceptResult } from "../port/events.ts";
import { LeaseLostError } from "../port/instances.ts";
import type { ResourceInput } from "../port/resources.ts";
import type {
  AcceptContext,
  AcceptTransaction,
  EventRow,
  FanOutRow,
  NewDelivery,
  PlainWebhookValues,
  PreparedItem,
} from "./accept-transaction.ts";
import { type Draft, makeDraft } from "./draft.ts";
import { claimKnown } from "./known-keys.ts";
import { busyPairs, fanOut, type LeaseBudgetLeft, pairsOf, unreadWebhooks } from "./fan-out.ts";
import { eventNameOf, kindOf, maskMatches } from "./kinds.ts";
import { mustGet } from "./must-get.ts";
import { ResourceState } from "./resource-state.ts";

/** Thrown when an item gives a resource another owner. The caller changes the owner first and accepts again. */
export class OwnerChangeNeeded extends Error {
  readonly resource: Omit<ResourceInput, "fileVersion">;
  constructor(resource: OwnerChangeNeeded["resource"]) {
    super("owner change");
    this.name = "OwnerChangeNeeded";
    this.resource = resource;
  }
}

/** Result of accepting the first items of a batch. */
export interface AcceptedSome extends Omit<AcceptOutcome, "webhooks" | "preLeased"> {
  /** Number of items, from the front. */
  taken: number;
  preLeased: PreLeasedRow[];
  /** The plain ones among the webhooks of the pre-leased deliveries; it may contain others. */
  plainWebhooks: readonly PlainWebhookValues[];
}

/** A list: on SQLite it comes from another thread, to which an object is copied with the names of its members. */
type PreLeasedRow = readonly [
  seq: number,
  eventSeq: number,
  tag: string,
  webhookNo: number,
  eventName: EventName,
  eventTime: number,
  payload: string,
  orderKey: number | null,
  lease: number,
];

/** How many random digits of a tag are used: as many as leave room to count on in 31 bits. */
const LEASE_DIGITS = 5;

/**
 * Accepts as many items as one transaction may take, from the front; `taken` is their number.
 *
 * received -> (its key, update or first download is known) duplicate | idempotency_key_reused | update_id_reused
 *          -> (its resource gets another owner) left for the next transaction, with all items behind it
 *          -> (unknown resource, no known version before an update, too large) rejected
 *          -> stored with its deliveries: pre-leased, or waiting
 */
export async function acceptInTransaction(
  tx: AcceptTransaction,
  context: AcceptContext,
  items: readonly PreparedItem[],
  budget: LeaseBudgetLeft | null,
): Promise<AcceptedSome> {
  const opened = await tx.open(budget?.instanceNo ?? null, items);
  if (budget !== null && !opened.held) throw new LeaseLostError(budget.instanceNo);

  const webhooks = Map.groupBy(opened.webhooks, (webhook) => webhook.resourceId);
  const drafts = items
    .slice(0, fitCommit(items, webhooks))
    .map((item, index) => makeDraft(item, opened.numbers[index] ?? 0));
  // Without a lease budget nothing is pre-leased.
  const pairs = budget === null ? [] : pairsOf(items.slice(0, drafts.length), webhooks);
  // Asked first: where its failure has ended the transaction, as a fault of SQLite's disk does, nothing is claimed.
  const reading = busyPairs(tx, pairs);
  const [known, busy] = await Promise.all([claimKnown(tx, drafts), reading]);

  const resources = new ResourceState(opened.resources);
  const events: EventRow[] = [];
  let taken = drafts.length;
  for (const [index, one] of drafts.entries()) {
    // Checked first: a repeat of an old request names the owner of that time, and must not give the resource back to
    // that owner.
    one.result = known.judge(one);
    if (one.result !== null) continue;
    const outcome = resources.apply(one, context.baseUrl);
    if (outcome === "owner_changes") {
      if (index === 0) throw ownerChange(one.item);
      taken = index;
      break;
    }
    if (outcome.kind === "rejected") {
      one.result = outcome;
    } else {
      events.push(outcome);
      known.win(one, outcome);
    }
  }
  await known.finish();

  const plan = fanOut(events, webhooks, resources.owners, budget, busy);
  const lease = firstLease(items);
  tx.write({
    instanceNo: budget?.instanceNo ?? null,
    lease,
    now: opened.now,
    resources: resources.changed(),
    events,
    leased: plan.leased,
    pending: plan.pending,
  });
  return {
    taken,
    results: drafts.slice(0, taken).map((one) => finish(one, plan.counts)),
    preLeased: preLeased(plan.leased, events, lease),
    plainWebhooks: unreadWebhooks(opened.webhooks, pairs, budget?.read ?? []),
    notPreLeased: plan.pending.length,
    claimable: plan.claimable,
    blocked: plan.pending.flatMap(({ blocked, webhookNo, orderKey }) =>
      blocked && orderKey !== null ? [{ webhookNo, orderKey }] : [],
    ),
  };
}

/** Returns how many items from the front fit the limit of deliveries per commit; at least one. */
function fitCommit(items: readonly PreparedItem[], webhooks: Map<string, FanOutRow[]>): number {
  let rows = 0;
  for (const [index, item] of items.entries()) {
    const kind = kindOf(item.name);
    for (const webhook of webhooks.get(item.resourceId) ?? []) {
      if (maskMatches(webhook.mask, kind)) rows += 1;
    }
    if (rows > LIMITS.deliveriesPerCommit && index > 0) return index;
  }
  return items.length;
}

function ownerChange({ resourceId, resource }: PreparedItem): Error {
  if (resource === undefined) return new RangeError("nothing says who the new owner is");
  // Its file version is stored together with the event.
  const { fileVersion: _, ...rest } = resource;
  return new OwnerChangeNeeded({ id: resourceId, ...rest });
}

function finish(one: Draft, counts: Map<number, number>): AcceptResult {
  return (
    one.result ?? {
      kind: "accepted",
      eventId: eventId({ seq: one.seq, tag: one.item.tag }),
      deliveries: counts.get(one.seq) ?? 0,
    }
  );
}

/**
 * Lease numbers begin at a random number. After a failover that lost commits, delivery numbers come again in an
 * instance that goes on. An outcome of the lost delivery must not match the new one.
 */
function firstLease(items: readonly PreparedItem[]): number {
  return 1 + Number.parseInt(items[0]?.tag.slice(0, LEASE_DIGITS) ?? "0", 36);
}

function preLeased(
  leased: readonly NewDelivery[],
  events: readonly EventRow[],
  lease: number,
): PreLeasedRow[] {
  if (leased.length === 0) return [];
  const bySeq = new Map(events.map((event) => [event.seq, event]));
  return leased.map(({ seq, eventSeq, webhookNo, orderKey }) => {
    const { tag, kind, time, payload } = mustGet(bySeq, eventSeq);
    return [seq, eventSeq, tag, webhookNo, eventNameOf(kind), time, payload, orderKey, lease];
  });
}

/** Makes a new delivery: nothing has happened to it yet. */
export function preLeasedDelivery([
  seq,
  eventSeq,
  tag,
  webhookNo,
  eventName,
  eventTime,
  payload,
  orderKey,
  lease,
]: PreLeasedRow): QueuedDelivery {
  return {
    seq,
    eventSeq,
    tag,
    webhookNo,
    eventName,
    eventTime,
    payload,
    orderKey,
    attempts: 0,
    step: 0,
    throttled: 0,
    lease,
    suspicion: 0,
    origin: "event",
    early: false,
    probe: false,
  };
}
