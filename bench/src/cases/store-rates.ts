import { flood, type Throughput } from "../rig/measure.ts";
import { addWebhooks, type Service, startService, type StoreKind } from "../rig/service.ts";
import type { World } from "../rig/world.ts";
import type { Sizes } from "../sizes.ts";

const WEBHOOKS = 100;
const BATCH = 100;
const BATCHES_IN_FLIGHT = 16;
export const SINGLES_IN_FLIGHT = 256;

export interface StoreRates {
  batched: Throughput;
  single: Throughput;
  /** To paused webhooks: accepted and stored, nothing sent. */
  acceptOnly: Throughput;
}

/** A service over a database of its own, warm, with active and with paused webhooks. */
export interface Prepared {
  service: Service;
  active: string[];
  paused: string[];
}

export async function prepare(world: World, kind: StoreKind, sizes: Sizes): Promise<Prepared> {
  const service = await startService(kind, world.postgres);
  try {
    const place = { count: WEBHOOKS, port: world.port, addresses: world.addresses };
    const active = await addWebhooks(service, { ...place, name: "active" });
    const paused = await addWebhooks(service, { ...place, name: "paused", paused: true });
    await batched(world, service, active, sizes.warmUpEvents);
    return { service, active, paused };
  } catch (error) {
    await service.stop();
    throw error;
  }
}

export async function batched(
  world: World,
  service: Service,
  resources: string[],
  events: number,
): Promise<Throughput> {
  return await flood(world, service, {
    resources,
    events,
    batch: BATCH,
    inFlight: BATCHES_IN_FLIGHT,
  });
}

/** One store that takes its turns: each call measures so many events more. */
export interface StoreContestant {
  batched(events: number): Promise<Throughput>;
  single(events: number): Promise<Throughput>;
  acceptOnly(events: number): Promise<Throughput>;
  stop(): Promise<void>;
}

export async function startStoreRates(
  world: World,
  kind: StoreKind,
  sizes: Sizes,
): Promise<StoreContestant> {
  const { service, active, paused } = await prepare(world, kind, sizes);
  const single = { batch: 1, inFlight: SINGLES_IN_FLIGHT };
  const held = async (events: number): Promise<Throughput> =>
    await flood(world, service, { ...single, events, resources: paused, deliveries: false });
  let heldWarm = false;
  return {
    batched: async (events) => await batched(world, service, active, events),
    single: async (events) => await flood(world, service, { ...single, events, resources: active }),
    async acceptOnly(events) {
      // Another path is taken for what is held.
      if (!heldWarm) await held(sizes.singleEvents / 2);
      heldWarm = true;
      return await held(events);
    },
    stop: async () => await service.stop(),
  };
}
