import { startPeer } from "../rig/peer.ts";
import type { World } from "../rig/world.ts";
import type { Sizes } from "../sizes.ts";
import { SINGLES_IN_FLIGHT } from "./store-rates.ts";

export interface PeerRates {
  batchedPerSecond: number;
  singlePerSecond: number;
}

const RESOURCES = Array.from({ length: 100 }, (_, no) => `active-${no}`);
const BATCH = 100;
const BATCHES_IN_FLIGHT = 16;
const ARRIVAL_MS = 120_000;

/** The peer, taking its turns: each call measures so many events more, and answers how many per second. */
export interface PeerContestant {
  batched(events: number): Promise<number>;
  single(events: number): Promise<number>;
  stop(): Promise<void>;
}

export async function startPeerRates(world: World, sizes: Sizes): Promise<PeerContestant> {
  const peer = await startPeer(world);

  async function run(events: number, batch: number, inFlight: number): Promise<number> {
    await world.receiver.call("reset", { keepArrivals: false });
    await world.load.call("connect", {
      origin: peer.address,
      key: "",
      connections: Math.max(inFlight, 64),
      resources: RESOURCES,
      run: world.nextRun(),
    });
    const { startedAt, accepted } = await world.load.call("flood", { events, batch, inFlight });
    const came = await world.receiver.call("wait", { count: events, limitMs: ARRIVAL_MS });
    if (accepted !== events || came.distinct !== events || came.invalid > 0) {
      throw new Error(`peer: ${accepted} of ${events} accepted, ${JSON.stringify(came)}`);
    }
    return (events / (came.lastAt - startedAt)) * 1000;
  }

  try {
    await run(sizes.warmUpEvents, BATCH, BATCHES_IN_FLIGHT);
  } catch (error) {
    await peer.stop();
    throw error;
  }
  return {
    batched: async (events) => await run(events, BATCH, BATCHES_IN_FLIGHT),
    single: async (events) => await run(events, 1, SINGLES_IN_FLIGHT),
    stop: async () => await peer.stop(),
  };
}
