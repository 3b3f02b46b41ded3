import { type Arrival, Ledger } from "../ledger.ts";
import type { Time } from "./pair.ts";

const PURCHASE = "product.user.purchase ";
const REFUND = "product.user.purchaseRemoved ";

/** Knows besides what may be gone after a promotion that lost commits: only what was said in that time. */
export class CampaignLedger extends Ledger {
  webhookIds: readonly string[] = [];
  readonly #acceptedAt = new Map<string, number>();
  readonly #users = new Map<string, number>();
  readonly #forgotten: Time[] = [];

  override accept(key: string, eventId: string): void {
    super.accept(key, eventId);
    this.#acceptedAt.set(eventId, performance.now());
    this.#users.set(eventId, Number(key.replace(PURCHASE, "").replace(REFUND, "")));
  }

  /** From now on nobody waits for what of it has not arrived. */
  mayForget(time: Time): void {
    const before = this.lost().length;
    this.#forgotten.push(time);
    this.delivered += before - this.lost().length;
  }

  /** Accepted pairs that never arrived, without those that a promotion may have lost. */
  lost(): string[] {
    return this.missing(this.webhookIds).filter(
      (pair) => !this.#mayBeGone(pair.split(" ")[0] ?? ""),
    );
  }

  /** Events that a promotion lost: they were accepted and arrived nowhere. */
  forgotten(): number {
    const gone = this.missing(this.webhookIds).map((pair) => pair.split(" ")[0] ?? "");
    return new Set(gone.filter((id) => this.#mayBeGone(id))).size;
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

  #mayBeGone(eventId: string): boolean {
    return this.#isForgotten(this.#acceptedAt.get(eventId) ?? 0);
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
