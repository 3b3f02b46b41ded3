import { type DeliveryStore, type LeaseName, SUSPECT_ALONE_FROM } from "@markethook/store";
import { createBatcher } from "../accept/batcher.ts";

/** As many as begin in one go. */
const TOGETHER = 64;
/** Where a settlement cannot be stored for longer, the one that goes alone is not told from it. */
const PATIENCE_MS = 5000;

interface Suspect extends LeaseName {
  suspicion: number;
}

/** Durable marks of suspects that are about to be sent, many by one write. */
export interface Marks {
  /**
   * False: the lease is not ours any more. Rejects when it cannot be stored. One that goes alone is the only one that
   * is marked: it waits until the outcomes of those before it are stored.
   */
  mark(instanceNo: number, suspect: Suspect): Promise<boolean>;
  /** Its outcome is stored, or refused. */
  settled(seq: number): void;
  /** None of ours is marked any more. */
  lost(): void;
}

export function createMarks(deliveries: Pick<DeliveryStore, "markStarted">): Marks {
  const marked = new Set<number>();
  let waiting: (() => void)[] = [];

  const batcher = createBatcher<{ instanceNo: number; lease: LeaseName }, boolean>({
    maxItems: TOGETHER,
    parallel: 1,
    async run(items) {
      const ours = new Set<LeaseName>();
      for (const instanceNo of new Set(items.map((item) => item.instanceNo))) {
        const leases = items
          .filter((item) => item.instanceNo === instanceNo)
          .map(({ lease }) => lease);
        const stored = new Set(await deliveries.markStarted(instanceNo, leases));
        for (const lease of leases) if (stored.has(lease.seq)) ours.add(lease);
      }
      return items.map(({ lease }) => ours.has(lease));
    },
  });

  function wakeIfNone(): void {
    if (marked.size > 0) return;
    for (const wake of waiting.splice(0)) wake();
  }

  async function untilNone(): Promise<void> {
    if (marked.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const limit = setTimeout(resolve, PATIENCE_MS);
    waiting.push(resolve);
    await promise;
    clearTimeout(limit);
    waiting = waiting.filter((one) => one !== resolve);
  }

  return {
    async mark(instanceNo, { seq, lease, suspicion }) {
      if (suspicion >= SUSPECT_ALONE_FROM) await untilNone();
      // Before it is stored: the answer may be lost.
      marked.add(seq);
      return (await batcher.add([{ instanceNo, lease: { seq, lease } }]))[0] === true;
    },
    settled(seq) {
      if (marked.delete(seq)) wakeIfNone();
    },
    lost() {
      marked.clear();
      wakeIfNone();
    },
  };
}
