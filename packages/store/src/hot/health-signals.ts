import type { Settlement } from "../port/deliveries.ts";
import type { HealthEvent } from "./health.ts";
import { kindOf } from "./kinds.ts";

/** The signals of a batch by webhook, webhooks ascending: rows of several are locked in one order. */
export function healthByWebhook(settlements: readonly Settlement[]): [number, HealthEvent[]][] {
  const byWebhook = new Map<number, HealthEvent[]>();
  for (const { health, webhookNo, eventSeq, eventName } of settlements) {
    if (health === undefined) continue;
    const event = { signal: health, eventSeq, kind: kindOf(eventName) };
    const list = byWebhook.get(webhookNo);
    if (list === undefined) byWebhook.set(webhookNo, [event]);
    else list.push(event);
  }
  return [...byWebhook].sort(([a], [b]) => a - b);
}
