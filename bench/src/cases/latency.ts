import { paced, type Paced } from "../rig/paced.ts";
import type { StoreKind } from "../rig/service.ts";
import type { World } from "../rig/world.ts";
import type { Sizes } from "../sizes.ts";
import { prepare } from "./store-rates.ts";

export interface AtLoad extends Paced {
  /** Part of the highest rate of single events. */
  load: number;
}

const LOADS = [0.1, 0.5, 0.8];
const WARM_UP_SECONDS = 3;

/**
 * How long a delivery takes at parts of the highest rate, reported one by one, round by round: one stall of the machine
 * moves a 99th percentile of ten seconds.
 */
export async function latencies(
  world: World,
  kind: StoreKind,
  highest: number,
  sizes: Sizes,
): Promise<AtLoad[]> {
  const { service, active } = await prepare(world, kind, sizes);
  try {
    const results: AtLoad[] = [];
    const rounds = Array.from({ length: sizes.repeats }, () => LOADS).flat();
    for (const load of rounds) {
      const input = { resources: active, eventsPerSecond: highest * load, batch: 1 };
      await paced(world, service, { ...input, seconds: WARM_UP_SECONDS });
      results.push({
        load,
        ...(await paced(world, service, { ...input, seconds: sizes.pacedSeconds })),
      });
    }
    return results;
  } finally {
    await service.stop();
  }
}
