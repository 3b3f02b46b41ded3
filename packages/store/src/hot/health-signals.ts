import type { Settlement } from "../port/deliveries.ts";
import type { HealthEvent } from "./health.ts";
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
