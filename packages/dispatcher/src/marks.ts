import type { DeliveryStore, LeaseName } from "@markethook/store";
import { createBatcher } from "./batcher.ts";

/** As many as begin in one go. */
const TOGETHER = 64;

/** Durable marks of suspects that are about to be sent, many by one write. */
export interface Marks {
  /** False: the lease is not ours any more. Rejects when it cannot be stored. */
  mark(life: number, lease: LeaseName): Promise<boolean>;
}

export function createMarks(deliveries: Pick<DeliveryStore, "markStarted">): Marks {
  const batcher = createBatcher<{ life: number; lease: LeaseName }, boolean>({
    maxItems: TOGETHER,
    parallel: 1,
    async run(items) {
      const ours = new Set<LeaseName>();
      for (const life of new Set(items.map((item) => item.life))) {
        const leases = items.filter((item) => item.life === life).map(({ lease }) => lease);
        const marked = new Set(await deliveries.markStarted(life, leases));
        for (const lease of leases) if (marked.has(lease.seq)) ours.add(lease);
      }
      return items.map(({ lease }) => ours.has(lease));
    },
  });
  return {
    async mark(life, lease) {
      return (await batcher.add([{ life, lease }]))[0] === true;
    },
  };
}
