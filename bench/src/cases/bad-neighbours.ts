import { type Paced, paced } from "../rig/paced.ts";
import { addWebhooks, startService, type StoreKind } from "../rig/service.ts";
import type { World } from "../rig/world.ts";
import type { Sizes } from "../sizes.ts";

/** What the others' receivers do: never answer, or answer 500. */
export type BadManner = "hang" | "fail";

/** Of the healthy webhooks: while all answer, and next to bad ones. */
export interface BadNeighbours {
  without: Paced;
  beside: Paced;
}

const WEBHOOKS = 200;
const BAD_PART = 0.3;
/** Attempts last 15 s at most: for so long what hangs has piled up before anything is measured. */
const SETTLE_SECONDS = 16;

/** Several looks, for the same reason as with latencies. */
export async function badNeighbours(
  world: World,
  kind: StoreKind,
  sizes: Sizes,
  bad: { manner: BadManner; eventsPerSecond: number },
): Promise<BadNeighbours[]> {
  const rounds: BadNeighbours[] = [];
  while (rounds.length < sizes.repeats) rounds.push(await once(world, kind, sizes, bad));
  return rounds;
}

/** Over a service of its own: what was not delivered before comes back for hours. */
async function once(
  world: World,
  kind: StoreKind,
  sizes: Sizes,
  { manner, eventsPerSecond }: { manner: BadManner; eventsPerSecond: number },
): Promise<BadNeighbours> {
  const service = await startService(kind, world.postgres);
  try {
    const { port, addresses } = world;
    const resources = await addWebhooks(service, {
      name: "fair",
      count: WEBHOOKS,
      port,
      addresses: Math.min(addresses, WEBHOOKS),
    });
    const bad = resources.slice(0, WEBHOOKS * BAD_PART);
    const only = new Set(resources.slice(bad.length));
    const input = { resources, eventsPerSecond, batch: 1, only };
    await paced(world, service, { ...input, seconds: 3 });
    const without = await paced(world, service, { ...input, seconds: sizes.pacedSeconds });
    await world.receiver.call(manner, bad);
    await paced(world, service, { ...input, seconds: SETTLE_SECONDS });
    const beside = await paced(world, service, { ...input, seconds: sizes.pacedSeconds });
    return { without, beside };
  } finally {
    await world.receiver.call(manner, []);
    await service.stop();
  }
}
