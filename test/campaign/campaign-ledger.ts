import { type Arrival, Ledger } from "../ledger.ts";
import type { StandsFor } from "./earlier-schema.ts";
import type { Time } from "./pair.ts";

const PURCHASE = "product.user.purchase ";
const REFUND = "product.user.purchaseRemoved ";

/** Knows besides what may be gone after a promotion that lost commits: only what was said in that time. */
export class CampaignLedger extends Ledger {
  webhookIds: readonly string[] = [];
  readonly #acceptedAt = new Map<string, number>();
  readonly #users = new Map<string, number>();
  readonly #forgotten: Time[] = [];
  /** Accepted pairs without a 2xx answer. Kept, as to look for them among a million would stop the receiver for seconds. */
  readonly #awaited = new Set<string>();
  /** Those of them for which nobody waits. */
  readonly #maybeGone = new Set<string>();

  override accept(key: string, eventId: string): void {
    super.accept(key, eventId);
    this.#acceptedAt.set(eventId, performance.now());
    this.#users.set(eventId, Number(key.replace(PURCHASE, "").replace(REFUND, "")));
    for (const id of this.webhookIds) {
      if (!this.isDelivered(eventId, id)) this.#awaited.add(`${eventId} ${id}`);
    }
  }

  override answer(arrival: Arrival, status: number | null): void {
    super.answer(arrival, status);
    const { eventId, webhookId } = arrival;
    if (!this.isDelivered(eventId, webhookId)) return;
    this.#awaited.delete(`${eventId} ${webhookId}`);
    this.#maybeGone.delete(`${eventId} ${webhookId}`);
  }

  override underWay(): number {
    return this.#awaited.size;
  }

  /** From now on nobody waits for what of it has not arrived. */
  mayForget(time: Time): void {
    this.#forgotten.push(time);
    for (const pair of this.#awaited) {
      if (!this.#isForgotten(this.#acceptedAt.get(eventOf(pair)) ?? 0)) continue;
      this.#awaited.delete(pair);
      this.#maybeGone.add(pair);
    }
  }

  /** Accepted pairs that never arrived, without those that a promotion may have lost. */
  lost(): string[] {
    return [...this.#awaited];
  }

  /** The last keys that were answered, without those of events that a promotion may have lost. */
  lastKeys(most: number): StandsFor[] {
    return Array.from(this.accepted)
      .slice(-most)
      .flatMap(([key, ids]) => Array.from(ids, (eventId) => ({ key, eventId })))
      .filter(({ eventId }) => !this.#isForgotten(this.#acceptedAt.get(eventId) ?? 0));
  }

  /** Events that a promotion lost: they were accepted and arrived nowhere. */
  forgotten(): number {
    return new Set([...this.#maybeGone].map(eventOf)).size;
  }

  /** Broken promises, without the order of buyers whose events a promotion may have lost. */
  broken(): string[] {
    const buyers = this.#buyersOfForgottenTimes();
    const twice = [...this.accepted].filter(([, ids]) => ids.size > 1);
    return [
      ...this.violations.filter((text) => {
        const buyer = / (\d+) came /.exec(text)?.[1];
        return buyer === undefined || !buyers.has(Number(buyer));
      }),
      ...twice.map(([key]) => `two events under the key ${key}`),
    ];
  }

  #isForgotten(at: number): boolean {
    return this.#forgotten.some(({ from, to }) => at >= from && at <= to);
  }

  #buyersOfForgottenTimes(): Set<number> {
    const buyers = new Set<number>();
    for (const [id, at] of this.#acceptedAt) {
      if (this.#isForgotten(at)) buyers.add(this.#users.get(id) ?? -1);
    }
    const inTime = ({ at }: Arrival): boolean => this.#isForgotten(at);
    for (const { userId } of this.arrivals.filter(inTime)) buyers.add(userId);
    return buyers;
  }
}

function eventOf(pair: string): string {
  return pair.slice(0, pair.indexOf(" "));
}
