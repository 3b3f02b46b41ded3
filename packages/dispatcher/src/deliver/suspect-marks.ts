import { type DeliveryStore, type LeaseName, SUSPECT_ALONE_FROM } from "@markethook/store";
import { Batcher } from "../accept/batcher.ts";

/** As many as begin in one portion. */
const TOGETHER = 64;
/**
 * If a settlement cannot be stored for longer than this, a suspect that goes alone is sent although another one is
 * marked.
 */
const PATIENCE_MS = 5000;

export type Marks = ReturnType<typeof createMarks>;

/** Stores durable marks of suspects that are about to be sent, many in one write. */
export function createMarks(deliveries: Pick<DeliveryStore, "markStarted">) {
  const marked = new Set<number>();
  let waiting: (() => void)[] = [];

  const batcher = new Batcher<{ instanceNo: number; lease: LeaseName }, boolean>({
    maxItems: TOGETHER,
    parallel: 1,
    async run(items) {
      const ours = new Set<LeaseName>();
      for (const [instanceNo, of] of Map.groupBy(items, (item) => item.instanceNo)) {
        const leases = of.map(({ lease }) => lease);
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
    /**
     * Returns false if the lease is no longer ours. Rejects if the mark cannot be stored. A suspect that goes alone waits
     * until the outcomes of those before it are stored, so that only it is marked.
     */
    async mark(
      instanceNo: number,
      { seq, lease, suspicion }: LeaseName & { suspicion: number },
    ): Promise<boolean> {
      if (suspicion >= SUSPECT_ALONE_FROM) await untilNone();
      // Before the write: its answer may be lost.
      marked.add(seq);
      return (await batcher.add([{ instanceNo, lease: { seq, lease } }]))[0] === true;
    },
    /** Call when its outcome is stored, or refused. */
    settled(seq: number): void {
      if (marked.delete(seq)) wakeIfNone();
    },
    /** Forgets all marks: the instance is lost. */
    lost(): void {
      marked.clear();
      wakeIfNone();
    },
  };
}
