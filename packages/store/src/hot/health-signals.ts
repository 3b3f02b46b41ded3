import type { Settlement } from "../port/deliveries.ts";
import type { HealthEvent } from "./webhook-health.ts";
import { kindOf } from "./kinds.ts";

/**
 * Returns the signals of a batch by webhook, webhooks ascending, because rows of several are locked in one order.
 * `shared` are signals about an address, for each webhook that has it.
 */
export function healthByWebhook(
  settlements: readonly Settlement[],
  shared: readonly [webhookNo: number, event: HealthEvent][],
): [number, HealthEvent[]][] {
  const byWebhook = new Map<number, HealthEvent[]>();
  const add = (no: number, event: HealthEvent): void => {
    const list = byWebhook.get(no);
    if (list === undefined) byWebhook.set(no, [event]);
    else list.push(event);
  };
  for (const { health, webhookNo, eventSeq, eventName } of settlements) {
    if (health === undefined || health.kind === "disable_chat") continue;
    add(webhookNo, { signal: health, eventSeq, kind: kindOf(eventName) });
  }
  for (const [no, event] of shared) add(no, event);
  return [...byWebhook].sort(([a], [b]) => a - b);
}

/** Failures of a webhook in one batch. */
export interface FailureCount {
  webhookNo: number;
  count: number;
  /** The lowest and the highest number of the events that failed. */
  events: [number, number];
  /** The event name, if all were answers 400 to this name alone. */
  badRequestKind: number | null;
}

/**
 * Returns the failures of the webhooks that only failed. While a run of failures is younger than the time to a warning
 * they change nothing but counts, in whichever order they came (`applyHealth`). So the database can count them without
 * being read first.
 */
export function failureCounts(
  signals: readonly [webhookNo: number, events: readonly HealthEvent[]][],
): FailureCount[] {
  return signals.flatMap(([webhookNo, events]): FailureCount[] => {
    const [first] = events;
    if (first === undefined || !events.every(({ signal }) => signal.kind === "failed")) return [];
    const sameBadRequest = events.every(
      ({ signal, kind }) => signal.kind === "failed" && signal.badRequest && kind === first.kind,
    );
    const seqs = events.map(({ eventSeq }) => eventSeq);
    return [
      {
        webhookNo,
        count: events.length,
        events: [Math.min(...seqs), Math.max(...seqs)],
        badRequestKind: sameBadRequest ? first.kind : null,
      },
    ];
  });
}
