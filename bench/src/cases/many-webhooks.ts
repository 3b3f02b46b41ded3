import type { Throughput } from "../rig/measure.ts";
import { addWebhooks, startService, type StoreKind } from "../rig/service.ts";
import type { World } from "../rig/world.ts";
import type { Sizes } from "../sizes.ts";
import { batched } from "./store-rates.ts";

export interface ManyWebhooks {
  few: Throughput;
  many: Throughput;
}

const FEW = 100;

/**
 * The same receivers behind many more webhooks: every event is about another resource. A machine's speed changes within
 * minutes, so the two take turns.
 */
export async function manyWebhooks(
  world: World,
  kind: StoreKind,
  sizes: Sizes,
): Promise<ManyWebhooks[]> {
  const service = await startService(kind, world.postgres);
  try {
    const { port, addresses } = world;
    const resources = await addWebhooks(service, {
      name: "many",
      count: sizes.manyWebhooks,
      port,
      addresses,
    });
    const some = resources.slice(0, FEW);
    await batched(world, service, some, sizes.warmUpEvents);
    const rounds: ManyWebhooks[] = [];
    while (rounds.length < sizes.repeats) {
      const few = await batched(world, service, some, sizes.batchedEvents);
      // What was read about a webhook is good for a second: each is read anew.
      const many = await batched(world, service, resources, sizes.batchedEvents);
      rounds.push({ few, many });
    }
    return rounds;
  } finally {
    await service.stop();
  }
}
