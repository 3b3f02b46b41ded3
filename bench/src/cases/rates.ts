import type { Round } from "../report/results.ts";
import { harmonicMean } from "../report/statistics.ts";
import type { Cpu, Throughput } from "../rig/measure.ts";
import type { StoreKind } from "../rig/service.ts";
import type { World } from "../rig/world.ts";
import type { Sizes } from "../sizes.ts";
import { bareLoop, type FastifyAlone, startFastifyAlone } from "./ceilings.ts";
import { startPeerRates } from "./peer-rates.ts";
import { type StoreContestant, startStoreRates } from "./store-rates.ts";

/** Each measure is taken in so many portions. */
const TURNS = 3;

/**
 * All contestants run at the same time, idle but for the one whose turn it is, and take turns of a few seconds: a
 * machine's speed changes within a minute by more than what is to be told apart.
 */
export async function measureRound(
  world: World,
  input: { kinds: readonly StoreKind[]; sizes: Sizes; withPeer: boolean },
): Promise<Round> {
  const { kinds, sizes } = input;
  const started: { stop(): Promise<void> }[] = [];
  const start = async <T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
    const contestant = await starting;
    started.push(contestant);
    return contestant;
  };
  try {
    const fastify = await start(startFastifyAlone(world, sizes.singleEvents));
    const stores: [StoreKind, StoreContestant][] = [];
    for (const kind of kinds) {
      stores.push([kind, await start(startStoreRates(world, kind, sizes))]);
    }
    const peer = input.withPeer ? await start(startPeerRates(world, sizes)) : null;
    const [many, few] = [sizes.batchedEvents / TURNS, Math.floor(sizes.singleEvents / TURNS)];
    const portions = new Portions();
    const alone: FastifyAlone[] = [];
    for (let turn = 1; turn <= TURNS; turn += 1) {
      portions.add("bare loop", await bareLoop(world, many));
      for (const [kind, store] of stores)
        portions.add(`${kind} batched`, await store.batched(many));
      if (peer !== null) portions.add("peer batched", await peer.batched(many));
    }
    for (let turn = 1; turn <= TURNS; turn += 1) {
      for (const [kind, store] of stores) portions.add(`${kind} single`, await store.single(few));
      if (peer !== null) portions.add("peer single", await peer.single(few));
    }
    for (let turn = 1; turn <= TURNS; turn += 1) {
      // More of them, so that opening the connections takes the same share of the time.
      alone.push(await fastify.take(sizes.singleEvents));
      for (const [kind, store] of stores) portions.add(`${kind} held`, await store.acceptOnly(few));
    }
    return {
      bareLoop: portions.rate("bare loop"),
      fastify: {
        perSecond: harmonicMean(alone.map(({ perSecond }) => perSecond)),
        cpu: meanOf(alone.map(({ cpu }) => cpu)),
      },
      stores: Object.fromEntries(
        stores.map(([kind]) => [
          kind,
          {
            batched: portions.throughput(`${kind} batched`),
            single: portions.throughput(`${kind} single`),
            acceptOnly: portions.throughput(`${kind} held`),
          },
        ]),
      ),
      peer:
        peer === null
          ? null
          : {
              batchedPerSecond: portions.rate("peer batched"),
              singlePerSecond: portions.rate("peer single"),
            },
    };
  } finally {
    for (const contestant of started.toReversed()) await contestant.stop();
  }
}

/** What each contestant came to in its turns; portions of one measure are of equal size. */
class Portions {
  readonly #rates = new Map<string, number[]>();
  readonly #throughputs = new Map<string, Throughput[]>();

  add(name: string, portion: number | Throughput): void {
    const add = <T>(to: Map<string, T[]>, value: T): void =>
      void to.set(name, [...(to.get(name) ?? []), value]);
    if (typeof portion === "number") add(this.#rates, portion);
    else add(this.#throughputs, portion);
  }

  rate(name: string): number {
    return harmonicMean(this.#rates.get(name) ?? []);
  }

  throughput(name: string): Throughput {
    return together(this.#throughputs.get(name) ?? []);
  }
}

/** Runs of equally many events as one. */
export function together(runs: readonly Throughput[]): Throughput {
  const mean = (of: (run: Throughput) => number | null): number | null => meanOf(runs.map(of));
  const cpu = (name: keyof Cpu): number | null => mean((run) => run.cpu[name]);
  const memories = runs.flatMap(({ memory }) => memory ?? []);
  return {
    events: runs.reduce((sum, { events }) => sum + events, 0),
    acceptedPerSecond: harmonicMean(runs.map((run) => run.acceptedPerSecond)),
    deliveredPerSecond: harmonicMean(runs.map((run) => run.deliveredPerSecond)),
    cpu: {
      service: cpu("service"),
      main: cpu("main"),
      workers: cpu("workers"),
      database: cpu("database"),
      receiver: cpu("receiver"),
    },
    written: mean((run) => run.written),
    memory: memories.length === 0 ? null : Math.max(...memories),
  };
}

/** Null if one is not known. */
function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length < values.length ? null : known.reduce((a, b) => a + b, 0) / known.length;
}
