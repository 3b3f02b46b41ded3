import type { Ledger } from "./ledger.ts";
import type { Oracles } from "./oracles.ts";
import type { Manner, Shape } from "./plan.ts";
import type { Receivers } from "./receivers.ts";

const SECOND = 1000;
/** From the end of the last fault until the rate must be back. */
const BACK_AFTER_MS = 10 * SECOND;
const WINDOW_MS = 5 * SECOND;
/** What was reported at the end of the window may arrive this much later. */
const ON_ITS_WAY_MS = SECOND;
const PART_OF_RATE = 0.8;
/** With fewer deliveries in the window, a part of them says nothing. */
const LEAST = 40;
/** Longer than in a world without bad neighbours. */
const LONGER_MS = 3 * SECOND;

/**
 * Soon after the last fault good webhooks get most of what is reported for them again. Returns what is wrong.
 * A buyer's many events go one after the other, and a backlog has no good webhooks: these loads have no such rate.
 *
 * @param slowBy Webhooks that count as slow at a time share the slots of those that hang, and say nothing.
 */
export function judgeRate(
  { load }: Shape,
  ledger: Ledger,
  receivers: Receivers,
  { backAt, quietAt }: { backAt: number; quietAt: number },
  slowBy: (at: number) => ReadonlySet<number> = () => new Set(),
): string | null {
  if (load === "one buyer" || load === "backlog") return null;
  const from = backAt + BACK_AFTER_MS;
  const to = from + WINDOW_MS;
  if (to + ON_ITS_WAY_MS > quietAt) return null;
  const slow = slowBy(from);
  let reported = 0;
  let delivered = 0;
  for (const { webhooks, reportedAt, deliveredAt } of new Set(ledger.byTag.values())) {
    for (const no of webhooks) {
      // A channel takes a burst in its own time.
      if (!receivers.isGood(no) || receivers.plan(no).channel !== undefined) continue;
      if (slow.has(no)) continue;
      if (reportedAt >= from && reportedAt < to) reported += 1;
      const at = deliveredAt.get(no) ?? Infinity;
      if (at >= from && at < to + ON_ITS_WAY_MS) delivered += 1;
    }
  }
  if (reported < LEAST || delivered >= reported * PART_OF_RATE) return null;
  return `${delivered} of ${reported} between ${Math.round(from)} and ${Math.round(to)} ms`;
}

/** Those whose last answer up to this time was a failure. */
export function failingAt(at: number, ledger: Ledger, oracles: Oracles): ReadonlySet<number> {
  const deliveredAt = new Map<number, number>();
  for (const event of ledger.byTag.values()) {
    for (const [no, time] of event.deliveredAt) {
      if (time <= at) deliveredAt.set(no, Math.max(time, deliveredAt.get(no) ?? 0));
    }
  }
  const failing = new Set<number>();
  for (const { webhookNo, lastFailure } of oracles.deliveries.values()) {
    if (lastFailure === null || lastFailure.at > at) continue;
    if (lastFailure.at > (deliveredAt.get(webhookNo) ?? 0)) failing.add(webhookNo);
  }
  return failing;
}

/** Seconds of a slot that one request takes, and its way there and back. */
const SLOT_SECONDS: Partial<Record<Manner, number>> = { fast: 0.01, usual: 0.05, slow: 0.76 };
/** What outages left behind must go, too. */
const PART_OF_SLOTS = 0.8;

/**
 * Their host or its address takes less than is reported for it, or a channel takes what an outage left in its own time, so
 * that nothing says how long they wait.
 */
export function webhooksWithoutRoom(shape: Shape): Set<number> {
  const { receivers, instances, rate } = shape;
  const each = rate / new Set(receivers.map(({ resource }) => resource)).size;
  const wanted = new Map<string, number>();
  const add = (place: string, slots: number): void =>
    void wanted.set(place, (wanted.get(place) ?? 0) + slots);
  for (const { manner, host, address } of receivers) {
    const slots = each * (SLOT_SECONDS[manner] ?? 0);
    add(`host ${host}`, slots);
    add(`address ${address}`, slots);
  }
  const isFull = (place: string, slots: number): boolean =>
    (wanted.get(place) ?? 0) > slots * instances * PART_OF_SLOTS;
  const found = receivers.flatMap(({ host, address, channel }, index) =>
    channel !== undefined ||
    isFull(`host ${host}`, shape.hostConcurrency) ||
    isFull(`address ${address}`, shape.addressConcurrency)
      ? [index + 1]
      : [],
  );
  return new Set(found);
}

/** By webhook of a good owner: the longest way from acknowledgement to arrival. */
type Waits = ReadonlyMap<number, number>;

/**
 * Of events that were acknowledged between these times, when no fault is felt. What was reported before may still be
 * behind: an answer that comes a minute late keeps its leases for so long. Later events of the same buyer wait for it,
 * and are left out.
 */
export function waitsOfGoodOwners(
  shape: Shape,
  ledger: Ledger,
  oracles: Oracles,
  { from, to }: { from: number; to: number },
): Waits {
  const good = webhooksOfGoodOwners(shape);
  // After a failure, in an outage for example, a webhook shares the slots of those that are slow.
  for (const { webhookNo, lastFailure } of oracles.deliveries.values()) {
    if (lastFailure !== null) good.delete(webhookNo);
  }
  const waits = new Map<number, number>();
  /** By webhook and buyer: when the last of what was reported before had arrived. */
  const behindUntil = new Map<string, number>();
  for (const { userId, webhooks, reportedAt, acknowledged, deliveredAt } of ledger.byTag.values()) {
    for (const no of reportedAt < from ? webhooks : []) {
      const pair = `${no} ${userId}`;
      const arrivedAt = deliveredAt.get(no) ?? 0;
      behindUntil.set(pair, Math.max(behindUntil.get(pair) ?? 0, arrivedAt));
    }
    if (acknowledged === null || acknowledged.at < from || acknowledged.at >= to) continue;
    for (const no of webhooks) {
      if (!good.has(no)) continue;
      if ((behindUntil.get(`${no} ${userId}`) ?? 0) > acknowledged.at) continue;
      const wait = (deliveredAt.get(no) ?? Infinity) - acknowledged.at;
      waits.set(no, Math.max(waits.get(no) ?? 0, wait));
    }
  }
  return waits;
}

/**
 * Compares a run with one of the same seed in which bad owners' receivers answer well. Good owners' webhooks must not
 * wait noticeably longer next to bad neighbours. Returns what is wrong.
 */
export function judgeIsolation(waits: Waits, waitsWithout: Waits): string[] {
  const usual = Math.max(0, ...Array.from(waits.keys(), (no) => waitsWithout.get(no) ?? 0));
  return Array.from(waits)
    .filter(([, wait]) => wait > usual + LONGER_MS)
    .map(([no, wait]) => {
      const [ms, usualMs] = [Math.round(wait), Math.round(usual)];
      return `webhook ${no} waited ${ms} ms next to bad neighbours, at most ${usualMs} ms without`;
    });
}

/** Each receiver of these owners answers well, and no bad one shares its host. */
function webhooksOfGoodOwners({ receivers }: Shape): Set<number> {
  const bad = receivers.filter(({ manner }) => manner !== "fast" && manner !== "usual");
  const owners = new Set(bad.map(({ resource }) => resource));
  const hosts = new Set(bad.map(({ host }) => host));
  const good = receivers.flatMap(({ host, resource }, index) =>
    owners.has(resource) || hosts.has(host) ? [] : [index + 1],
  );
  return new Set(good);
}
