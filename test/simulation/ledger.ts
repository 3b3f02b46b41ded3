import { parseEventId } from "@markethook/protocol";

/** An event as the marketplace reported it, and what it knows of it. */
export interface Reported {
  /** Of its last report; each report is an event with a tag of its own, if it is stored. */
  tag: string;
  key: string;
  userId: number;
  webhooks: readonly number[];
  reportedAt: number;
  /** Some answer left open whether it was stored. */
  mayBeStored: boolean;
  acknowledged: { seq: number; tag: string; at: number } | null;
  /** An answer said that it was stored by that request. Of two under way, the other's answer may come first. */
  wasAccepted: boolean;
  /** By webhook: when its sender first heard a 2xx. */
  deliveredAt: Map<number, number>;
}

/** What the marketplace reported and was told: the promises that were made. */
export class Ledger {
  readonly byTag = new Map<string, Reported>();
  /** By webhook and buyer: acknowledged, and not delivered yet. */
  readonly #open = new Map<string, number>();

  report(event: Reported): void {
    this.byTag.set(event.tag, event);
  }

  /** Answers what is wrong with this answer. */
  acknowledge(event: Reported, eventId: string, at: number): string | null {
    const { seq, tag } = parseEventId(eventId) ?? { seq: 0, tag: "" };
    if (event.acknowledged === null) {
      event.acknowledged = { seq, tag, at };
      for (const no of event.webhooks) this.#count(no, event.userId, 1);
      return null;
    }
    return event.acknowledged.seq === seq
      ? null
      : `key ${event.key} stands for the events ${event.acknowledged.seq} and ${seq}`;
  }

  /** It was acknowledged, and a failover lost it. It may arrive all the same. */
  lost(event: Reported): void {
    for (const no of event.webhooks) {
      if (!event.deliveredAt.has(no)) this.#count(no, event.userId, -1);
    }
    event.deliveredAt.clear();
    event.acknowledged = null;
    event.wasAccepted = false;
    event.mayBeStored = true;
  }

  delivered(event: Reported, webhookNo: number, at: number): void {
    event.deliveredAt.set(webhookNo, at);
    this.#count(webhookNo, event.userId, -1);
  }

  /** Others of this buyer are on their way to the webhook, and it must wait for them. */
  isBehind(event: Reported, webhookNo: number): boolean {
    return (this.#open.get(`${webhookNo} ${event.userId}`) ?? 0) > 1;
  }

  #count(webhookNo: number, userId: number, by: number): void {
    const pair = `${webhookNo} ${userId}`;
    const count = (this.#open.get(pair) ?? 0) + by;
    if (count === 0) this.#open.delete(pair);
    else this.#open.set(pair, count);
  }
}
