import type { DeliveryStore, DisableRule, Settlement, SettlementNext } from "@markethook/store";
import { Batcher } from "../accept/batcher.ts";
import type { QueueEntry } from "../queue/webhook-queue.ts";
import type { Observer } from "../wiring/observer.ts";
import { settlementOf } from "./settlement.ts";

export interface Outcome {
  /** The instance whose lease it was made under. */
  instanceNo: number;
  settlement: Settlement;
  /** Deliveries with this key may wait behind this one. */
  orderKey: number | null;
}

/** Makes the outcome of a delivery that was not sent: without an attempt. */
export function withoutAttempt(
  { delivery, instanceNo }: QueueEntry,
  next: SettlementNext,
): Outcome {
  const settlement = settlementOf(delivery, null, next);
  return { instanceNo, settlement, orderKey: delivery.orderKey };
}

const BATCH = 500;
/** This many at once mean that more will follow soon; fewer are stored at once. */
const MANY = 64;
const PACE_MS = 50;
const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 2000;
/** First wait before a settlement that cannot be stored is tried again; it doubles. */
const ALONE_MS = 2000;
const LONGEST_ALONE_MS = 60_000;
/** At most this many are tried again. The lease of any other ends with the instance. */
const MOST_ALONE = 2000;

export interface SettlerOptions {
  deliveries: Pick<DeliveryStore, "settle">;
  rule: DisableRule;
  parallel: number;
  /** True if writes that come together share a commit anyway. */
  singleWriter: boolean;
  now: () => number;
  /** Called when a write threw: it may be stored or not. */
  threw(instanceNo: number): void;
  /** True if the instance is still ours. If not, others own the deliveries and the results are refused anyway. */
  isCurrent(instanceNo: number): boolean;
  observer: Observer;
  settled(outcomes: readonly Outcome[], refused: ReadonlySet<number>): void;
}

/** Stores outcomes in batches, and tries again until they are stored. A result is dropped only with its lease. */
export class Settler {
  readonly #options: SettlerOptions;
  /** Number of settlements that the database refuses because of their content; each waits to be tried again alone. */
  #failing = 0;
  readonly #idlers: (() => void)[] = [];
  readonly #batcher: Batcher<Outcome, never>;

  constructor(options: SettlerOptions) {
    this.#options = options;
    this.#batcher = new Batcher({
      maxItems: BATCH,
      parallel: options.parallel,
      // A commit costs as much as many rows.
      besideFrom: BATCH,
      pace: options.singleWriter ? null : { from: MANY, ms: PACE_MS, now: options.now },
      run: async (items) => {
        for (const [instanceNo, of] of Map.groupBy(items, (item) => item.instanceNo)) {
          await this.#record(instanceNo, of).catch((error: unknown) =>
            options.observer.fault("settled", error),
          );
        }
        return [];
      },
    });
  }

  settle(outcome: Outcome): void {
    this.#batcher.put(outcome);
  }

  /** Number of results that are not stored yet. */
  get pending(): number {
    return this.#batcher.pending + this.#failing;
  }

  /** The same without those that the database refuses because of their content. */
  get waiting(): number {
    return this.#batcher.pending;
  }

  async idle(): Promise<void> {
    await this.#batcher.idle();
    if (this.#failing > 0) await new Promise<void>((resolve) => this.#idlers.push(resolve));
  }

  /** Waits for what is not stored yet. After `limitMs` it is lost with the lease, and its deliveries are sent again. */
  async storeLast(limitMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs);
    });
    await Promise.race([this.idle(), late]);
    clearTimeout(timer);
    const { pending } = this;
    if (pending === 0) return;
    this.#options.observer.fault("settle", `${pending} outcomes were not stored before the end`);
  }

  async #record(instanceNo: number, outcomes: readonly Outcome[], tries = 0): Promise<void> {
    const { now, observer } = this.#options;
    const startedAt = now();
    const outcome = await this.#store(
      instanceNo,
      outcomes.map(({ settlement }) => settlement),
    );
    const { refused, failed } = outcome;
    const stored = failed.length === 0 ? outcomes : this.#tryAgainAlone(outcomes, failed, tries);
    if (stored.length === 0) return;
    observer.settled({ deliveries: stored.length, refused: refused.size, ms: now() - startedAt });
    this.#options.settled(stored, refused);
  }

  /** Returns the other outcomes, which do not wait for the failed ones. */
  #tryAgainAlone(
    outcomes: readonly Outcome[],
    failed: readonly { seq: number; why: string }[],
    tries: number,
  ): Outcome[] {
    const why = new Map(failed.map((one) => [one.seq, one.why]));
    return outcomes.filter((outcome) => {
      const fault = why.get(outcome.settlement.seq);
      if (fault !== undefined) this.#tryAgain(outcome, tries, fault);
      return fault === undefined;
    });
  }

  #tryAgain(outcome: Outcome, tries: number, why: string): void {
    const { observer } = this.#options;
    const { instanceNo, settlement } = outcome;
    observer.fault("settle one delivery", new Error(`${why} (delivery ${settlement.seq})`));
    if (tries === 0 && this.#failing >= MOST_ALONE) return;
    this.#failing += 1;
    setTimeout(
      () => {
        this.#record(instanceNo, [outcome], tries + 1)
          .catch((error: unknown) => observer.fault("settled", error))
          .finally(() => {
            this.#failing -= 1;
            if (this.#failing === 0) for (const idler of this.#idlers.splice(0)) idler();
          });
      },
      Math.min(ALONE_MS * 2 ** tries, LONGEST_ALONE_MS),
    );
  }

  /** If the instance ended before the store took them, all are refused. */
  async #store(
    instanceNo: number,
    settlements: readonly Settlement[],
  ): Promise<{ refused: Set<number>; failed: readonly { seq: number; why: string }[] }> {
    const { deliveries, rule, observer } = this.#options;
    for (let wait = FIRST_RETRY_MS; ; wait = Math.min(wait * 2, LONGEST_RETRY_MS)) {
      try {
        const { refused, failed } = await deliveries.settle(instanceNo, settlements, rule);
        if (failed.length > 0 && !this.#options.isCurrent(instanceNo)) {
          return allRefused(settlements);
        }
        return { refused: new Set(refused), failed };
      } catch (error) {
        observer.fault("settle", error);
        this.#options.threw(instanceNo);
        if (!this.#options.isCurrent(instanceNo)) return allRefused(settlements);
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  }
}

function allRefused(settlements: readonly Settlement[]) {
  return { refused: new Set(settlements.map(({ seq }) => seq)), failed: [] };
}
