/** What was promised and what arrived, kept outside the service. */
export interface Arrival {
  eventId: string;
  webhookId: string;
  deliveryId: string;
  event: string;
  userId: number;
  /** Monotonic ms. */
  at: number;
  /** Status answered; null while open, or when the connection broke. */
  answered: number | null;
}

export class Ledger {
  /** Event ids by idempotency key, one entry per answer that named one. */
  readonly accepted = new Map<string, Set<string>>();
  readonly arrivals: Arrival[] = [];
  readonly violations: string[] = [];
  readonly #ok = new Map<string, number>();
  readonly #refunded = new Set<string>();
  /** Deliveries with a request that is not answered. */
  readonly openIds = new Set<string>();
  /** (event, webhook) pairs answered with 2xx. */
  delivered = 0;

  accept(key: string, eventId: string): void {
    const ids = this.accepted.get(key) ?? new Set<string>();
    ids.add(eventId);
    this.accepted.set(key, ids);
  }

  get eventIds(): Set<string> {
    const all = new Set<string>();
    for (const ids of this.accepted.values()) for (const id of ids) all.add(id);
    return all;
  }

  arrive(arrival: Arrival): void {
    this.arrivals.push(arrival);
    this.openIds.add(arrival.deliveryId);
    const buyer = `${arrival.webhookId} ${arrival.userId}`;
    if (arrival.event === "product.user.purchaseRemoved") {
      if (!this.#ok.has(`purchase ${buyer}`)) {
        this.violations.push(`refund of ${buyer} came before its purchase was answered`);
      }
      this.#refunded.add(buyer);
    } else if (this.#refunded.has(buyer)) {
      this.violations.push(`purchase of ${buyer} came after its refund`);
    }
  }

  answer(arrival: Arrival, status: number | null): void {
    this.openIds.delete(arrival.deliveryId);
    arrival.answered = status;
    if (status === null || status >= 300) return;
    const key = pair(arrival);
    if (!this.#ok.has(key)) this.delivered += 1;
    this.#ok.set(key, (this.#ok.get(key) ?? 0) + 1);
    if (arrival.event === "product.user.purchase") {
      this.#ok.set(`purchase ${arrival.webhookId} ${arrival.userId}`, 1);
    }
  }

  /** Accepted pairs that have not arrived, where each event goes to so many webhooks. */
  underWay(webhooks: number): number {
    return this.accepted.size * webhooks - this.delivered;
  }

  isDelivered(eventId: string, webhookId: string): boolean {
    return this.#ok.has(`${eventId} ${webhookId}`);
  }

  /** Accepted (event, webhook) pairs without a 2xx answer. */
  missing(webhookIds: readonly string[]): string[] {
    const pairs: string[] = [];
    for (const eventId of this.eventIds) {
      for (const id of webhookIds)
        if (!this.isDelivered(eventId, id)) pairs.push(`${eventId} ${id}`);
    }
    return pairs;
  }

  /** Deliveries answered with 2xx more than once. */
  get repeated(): number {
    return [...this.#ok].filter(([key, count]) => !key.startsWith("purchase ") && count > 1).length;
  }
}

function pair(arrival: Arrival): string {
  return `${arrival.eventId} ${arrival.webhookId}`;
}
