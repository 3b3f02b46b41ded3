import type { DeliveryStore, DisableRule, Settlement, SettlementNext } from "@markethook/store";
import { createBatcher } from "./batcher.ts";
import type { Held } from "./lane.ts";
import type { Observer } from "./observer.ts";

export interface Outcome {
  /** The lease under which it was made. */
  life: number;
  settlement: Settlement;
  /** What may wait behind this delivery. */
  orderKey: number | null;
}

/** Nothing was sent: what becomes of the delivery, without an attempt. */
export function withoutAttempt({ delivery, life }: Held, next: SettlementNext): Outcome {
  const { seq, webhookNo, eventSeq, eventName, orderKey } = delivery;
  return {
    life,
    settlement: { seq, webhookNo, eventSeq, eventName, attempt: null, next },
    orderKey,
  };
}

/** Records outcomes in batches, as long as it takes: a result is only forgotten when its lease is. */
export interface Settler {
  settle(outcome: Outcome): void;
  /** Results not stored yet. */
  readonly pending: number;
  idle(): Promise<void>;
}

const BATCH = 500;
/** So many at once mean that more will come in a moment; few are stored as they come. */
const MANY = 64;
const PACE_MS = 50;
const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 2000;

export function createSettler(options: {
  deliveries: Pick<DeliveryStore, "settle">;
  rule: DisableRule;
  parallel: number;
  /** What is written together is one commit anyway. */
  singleWriter: boolean;
  now: () => number;
  /** The life is still ours; when it is not, others own the deliveries and the results are refused anyway. */
  isCurrent(life: number): boolean;
  observer: Observer;
  settled(outcomes: readonly Outcome[], refused: ReadonlySet<number>): void;
}): Settler {
  const { deliveries, now, observer } = options;

  async function record(life: number, outcomes: readonly Outcome[]): Promise<void> {
    const settlements = outcomes.map((outcome) => outcome.settlement);
    const startedAt = now();
    const refused = await store(life, settlements);
    observer.settled({
      deliveries: settlements.length,
      refused: refused.size,
      ms: now() - startedAt,
    });
    options.settled(outcomes, refused);
  }

  /** Answers what was refused: all of it, when the life ended before the store took it. */
  async function store(life: number, settlements: readonly Settlement[]): Promise<Set<number>> {
    for (let wait = FIRST_RETRY_MS; ; wait = Math.min(wait * 2, LONGEST_RETRY_MS)) {
      try {
        const { refused } = await deliveries.settle(life, settlements, options.rule);
        return new Set(refused);
      } catch (error) {
        observer.fault("settle", error);
        if (!options.isCurrent(life)) return new Set(settlements.map((one) => one.seq));
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  }

  const batcher = createBatcher<Outcome, never>({
    maxItems: BATCH,
    parallel: options.parallel,
    // Each commit costs as much as many rows.
    besideFrom: BATCH,
    pace: options.singleWriter ? null : { from: MANY, ms: PACE_MS, now },
    async run(items) {
      for (const [life, of] of Map.groupBy(items, (item) => item.life)) {
        await record(life, of).catch((error: unknown) => observer.fault("settled", error));
      }
      return [];
    },
  });

  return {
    settle: (outcome) => batcher.put(outcome),
    get pending() {
      return batcher.pending;
    },
    idle: () => batcher.idle(),
  };
}
