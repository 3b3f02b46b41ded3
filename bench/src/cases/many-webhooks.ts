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
 * minutes, so the two take turns. Each round begins with a restart, which stores what a round of many leaves for the
 * minutes after it: a hundred must not pay for that. Then each is measured as it goes on, not as it begins.
 */
export async function manyWebhooks(
  world: World,
  kind: StoreKind,
  sizes: Sizes,
): Promise<ManyWebhooks[]> {
  let service = await startService(kind, world.postgres);
  try {
    const { port, addresses } = world;
    const resources = await addWebhooks(service, {
      name: "many",
      count: sizes.manyWebhooks,
      port,
      addresses,
    });
    const some = resources.slice(0, FEW);
    const rounds: ManyWebhooks[] = [];
    while (rounds.length < sizes.repeats) {
      service = await service.restart(async () => {});
      await batched(world, service, some, sizes.warmUpEvents);
      const few = await batched(world, service, some, sizes.batchedEvents);
      await batched(world, service, resources, sizes.manyWebhooks);
      const many = await batched(world, service, resources, sizes.batchedEvents);
      rounds.push({ few, many });
    }
    return rounds;
  } finally {
    await service.stop();
  }
}
