import { startPeer } from "../rig/peer.ts";
import { cpuSeconds } from "../rig/usage.ts";
import type { World } from "../rig/world.ts";
import type { Sizes } from "../sizes.ts";
import { SINGLES_IN_FLIGHT } from "./store-rates.ts";

export interface PeerRates {
  batchedPerSecond: number;
  singlePerSecond: number;
  /** CPU seconds of API, workers and Redis together. */
  cpuPer100k: number | null;
}

const RESOURCES = Array.from({ length: 100 }, (_, no) => `active-${no}`);
const BATCH = 100;
const BATCHES_IN_FLIGHT = 16;
const ARRIVAL_MS = 120_000;

export async function peerRates(world: World, sizes: Sizes): Promise<PeerRates> {
  const peer = await startPeer(world);
  const cpu = (): number | null =>
    peer.pids.reduce<number | null>((sum, pid) => {
      const one = cpuSeconds(pid);
      return sum === null || one === null ? null : sum + one;
    }, 0);

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
    const before = cpu();
    const batchedPerSecond = await run(sizes.batchedEvents, BATCH, BATCHES_IN_FLIGHT);
    const after = cpu();
    return {
      batchedPerSecond,
      singlePerSecond: await run(sizes.singleEvents, 1, SINGLES_IN_FLIGHT),
      cpuPer100k:
        before === null || after === null
          ? null
          : ((after - before) / sizes.batchedEvents) * 100_000,
    };
  } finally {
    await peer.stop();
  }
}
