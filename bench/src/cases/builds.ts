import { flood, type Throughput } from "../rig/measure.ts";
import { PLAIN_MANNERS } from "../rig/receiver.ts";
import {
  addWebhooks,
  type Build,
  type Service,
  startService,
  type StoreKind,
} from "../rig/service.ts";
import type { World } from "../rig/world.ts";
import { FULL } from "../sizes.ts";
import { batched, SINGLES_IN_FLIGHT } from "./store-rates.ts";

export const BUILD_CASES = ["batched", "single", "paused", "webhooks", "https", "resumed"] as const;
export type BuildCase = (typeof BUILD_CASES)[number];

/** What one build came to in one turn. */
export interface Turn extends Throughput {
  /** Deliveries per second; accepted events where the webhooks are paused. */
  rate: number;
}

const FEW = 100;

/**
 * Each build over a service of its own, idle but in its turn; every other round backwards, so that none always follows
 * the same one. Answers the turns of each.
 */
export async function compareBuilds(
  world: World,
  input: {
    kind: StoreKind;
    builds: readonly Build[];
    of: BuildCase;
    events: number;
    rounds: number;
  },
): Promise<Turn[][]> {
  const secure = input.of === "https" || input.of === "resumed";
  const contestants: { service: Service; resources: string[]; turns: Turn[] }[] = [];
  try {
    for (const build of input.builds) {
      const environment = { NODE_EXTRA_CA_CERTS: world.authority.file, ...build.environment };
      const service = await startService(input.kind, world.postgres, { ...build, environment });
      contestants.push({ service, resources: [], turns: [] });
    }
    for (const contestant of contestants) {
      contestant.resources = await addWebhooks(contestant.service, {
        name: "compared",
        count: input.of === "webhooks" ? FULL.manyWebhooks : FEW,
        port: secure ? world.httpsPort : world.port,
        scheme: secure ? "https" : "http",
        addresses: world.addresses,
        paused: input.of === "paused",
      });
    }
    // Each request has a connection of its own, which resumes a session.
    if (input.of === "resumed")
      await world.receiver.call("behave", { ...PLAIN_MANNERS, closes: true });
    for (const { service, resources } of contestants) {
      // Each webhook once.
      const events = Math.max(input.events, resources.length);
      await takeTurn(world, service, { ...input, events, resources });
    }
    for (let round = 0; round < input.rounds; round += 1) {
      const order = round % 2 === 0 ? contestants : contestants.toReversed();
      for (const { service, resources, turns } of order) {
        turns.push(await takeTurn(world, service, { ...input, resources }));
      }
    }
    return contestants.map(({ turns }) => turns);
  } finally {
    for (const { service } of contestants.toReversed()) await service.stop();
    await world.receiver.call("behave", PLAIN_MANNERS);
  }
}

async function takeTurn(
  world: World,
  service: Service,
  input: { of: BuildCase; events: number; resources: string[] },
): Promise<Turn> {
  const { of, events, resources } = input;
  if (of !== "single" && of !== "paused") {
    const batches = await batched(world, service, resources, events);
    if (of === "webhooks") await world.receiver.call("hangUp", undefined);
    return { ...batches, rate: batches.deliveredPerSecond };
  }
  const singles = await flood(world, service, {
    resources,
    events,
    batch: 1,
    inFlight: SINGLES_IN_FLIGHT,
    deliveries: of === "single",
  });
  return {
    ...singles,
    rate: of === "single" ? singles.deliveredPerSecond : singles.acceptedPerSecond,
  };
}
