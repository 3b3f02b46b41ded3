import type { WatchedDeliveries, WatchedDelivery } from "../../port/delivery-log.ts";

/**
 * How many buckets of the log `watch` searches for ended deliveries. A delivery that was made and has ended between two
 * readings has one of the newest numbers. One that was open before is missing from the open ones when it has ended.
 */
export const WATCHED_BUCKETS = 2;

/** A row of `watch`, from any table. */
export interface WatchedRow {
  seq: number;
  webhookNo: number;
  place: string;
  attempts: number;
  createdAt: number;
  webhookState: string;
}

/** Rows in the order leased, pending, ended: for a delivery that moved meanwhile the last one counts. */
export function watchedDeliveries(
  now: number,
  rows: readonly WatchedRow[],
  perWebhook: number,
): WatchedDeliveries {
  const deliveries = new Map<number, WatchedDelivery>();
  const waiting = new Map<number, number>();
  const leased = new Map<number, number>();
  for (const row of rows) {
    const { seq, webhookNo, place, attempts, createdAt, webhookState } = row;
    const isWaiting = place === "pending";
    if (isWaiting && !deliveries.has(seq)) count(waiting, webhookNo);
    if (place === "leased") count(leased, webhookNo);
    deliveries.set(seq, {
      seq,
      webhookNo,
      // A waiting delivery is shown as held if its webhook is not active.
      mark: `${place} ${attempts}${isWaiting ? ` ${webhookState}` : ""}`,
      open: place !== "ended",
      waiting: isWaiting,
      createdAt,
    });
  }
  const full = [
    // Read from both ends: more than the limit are found where there are more.
    ...[...waiting].filter(([, found]) => found > perWebhook),
    ...[...leased].filter(([, found]) => found >= perWebhook),
  ].map(([no]) => no);
  return { now, deliveries: [...deliveries.values()], full: [...new Set(full)] };
}

function count(counts: Map<number, number>, key: number): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
