import type { WatchedDeliveries, WatchedDelivery } from "../port/delivery-log.ts";

/**
 * Buckets of the log in which `watch` looks for ended deliveries. A delivery that was made and has ended between two
 * looks has one of the newest numbers; one that was seen open is missed when it has ended.
 */
export const WATCHED_BUCKETS = 2;

/** A row as `watch` reads it, from whichever table. */
export interface WatchedRow {
  seq: number;
  webhookNo: number;
  place: string;
  attempts: number;
  createdAt: number;
  webhookState: string;
}

/** Rows in the order live, waiting, done: of one that moved meanwhile the last counts. */
export function watchedDeliveries(
  now: number,
  rows: readonly WatchedRow[],
  perWebhook: number,
): WatchedDeliveries {
  const deliveries = new Map<number, WatchedDelivery>();
  const waiting = new Map<number, number>();
  for (const row of rows) {
    const { seq, webhookNo, place, attempts, createdAt, webhookState } = row;
    const isWaiting = place === "pending";
    if (isWaiting && !deliveries.has(seq))
      waiting.set(webhookNo, (waiting.get(webhookNo) ?? 0) + 1);
    deliveries.set(seq, {
      seq,
      webhookNo,
      // What waits is shown as held where its webhook is not active.
      mark: `${place} ${attempts}${isWaiting ? ` ${webhookState}` : ""}`,
      open: place !== "ended",
      waiting: isWaiting,
      createdAt,
    });
  }
  const full = [...waiting].filter(([, count]) => count > perWebhook).map(([no]) => no);
  return { now, deliveries: [...deliveries.values()], full };
}
