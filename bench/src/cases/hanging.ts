import { paced, type Percentiles } from "../rig/paced.ts";
import { addWebhooks, startService, type StoreKind } from "../rig/service.ts";
import type { World } from "../rig/world.ts";
import type { Sizes } from "../sizes.ts";

export interface Hanging {
  /** Of the healthy webhooks, while all answer, and while the others never do. */
  baseline: Percentiles;
  withHanging: Percentiles;
}

const WEBHOOKS = 200;
const HANGING_PART = 0.3;
/** Low enough for the machine, high enough for those that hang to fill their share at once. */
const EVENTS_PER_SECOND = 1000;
/** Attempts last 15 s at most: for so long what hangs has piled up before anything is measured. */
const SETTLE_SECONDS = 16;

/** Several looks, for the same reason as with latencies. */
export async function hanging(world: World, kind: StoreKind, sizes: Sizes): Promise<Hanging[]> {
  const rounds: Hanging[] = [];
  while (rounds.length < sizes.repeats) rounds.push(await once(world, kind, sizes));
  return rounds;
}

/** Over a service of its own: what hung before comes back for hours. */
async function once(world: World, kind: StoreKind, sizes: Sizes): Promise<Hanging> {
  const service = await startService(kind, world.postgres);
  try {
    const { port, addresses } = world;
    const resources = await addWebhooks(service, {
      name: "fair",
      count: WEBHOOKS,
      port,
      addresses: Math.min(addresses, WEBHOOKS),
    });
    const hung = resources.slice(0, WEBHOOKS * HANGING_PART);
    const only = new Set(resources.slice(hung.length));
    const input = { resources, eventsPerSecond: EVENTS_PER_SECOND, batch: 1, only };
    await paced(world, service, { ...input, seconds: 3 });
    const before = await paced(world, service, { ...input, seconds: sizes.pacedSeconds });
    await world.receiver.call("hang", hung);
    await paced(world, service, { ...input, seconds: SETTLE_SECONDS });
    const during = await paced(world, service, { ...input, seconds: sizes.pacedSeconds });
    return { baseline: before.fromReport, withHanging: during.fromReport };
  } finally {
    await world.receiver.call("hang", []);
    await service.stop();
  }
}
