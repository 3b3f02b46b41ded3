import { cpuSeconds, peakMemory } from "./usage.ts";
import type { Service } from "./service.ts";
import type { World } from "./world.ts";

/** What a run of many events came to. */
export interface Throughput {
  events: number;
  /** Events answered with 202, per second. */
  acceptedPerSecond: number;
  /** From the first report to the last delivery. */
  deliveredPerSecond: number;
  /** CPU seconds per 100,000 events; null where the system does not tell. */
  cpu: { service: number | null; database: number | null; receiver: number | null };
  /** MiB, the most so far. */
  memory: number | null;
}

export interface FloodInput {
  resources: string[];
  events: number;
  /** Per request; 1: the route of single events. */
  batch: number;
  inFlight: number;
  /** False: the webhooks are paused, nothing will arrive. */
  deliveries?: boolean;
}

/** The events must all arrive within this time, or the run failed. */
const ARRIVAL_MS = 120_000;
const MOST_CONNECTIONS = 256;

export async function flood(
  world: World,
  service: Service,
  input: FloodInput,
): Promise<Throughput> {
  const { receiver, load } = world;
  await receiver.call("reset", { keepArrivals: false });
  await connectLoad(world, service, input.resources);
  const before = cpuOf(world, service);
  const { events, batch, inFlight } = input;
  const sent = await load.call("flood", { events, batch, inFlight });
  if (sent.accepted !== events || sent.refused !== 0) {
    throw new Error(`${sent.accepted} of ${events} accepted, ${sent.refused} refused`);
  }
  if (sent.repeated > 0) console.log(`  ${sent.repeated} requests were answered 503 and repeated`);
  const wanted = input.deliveries === false ? 0 : events;
  const came = await receiver.call("wait", { count: wanted, limitMs: ARRIVAL_MS });
  if (came.distinct !== wanted || came.requests !== wanted || came.invalid !== 0) {
    throw new Error(`wanted ${wanted} deliveries once each: ${JSON.stringify(came)}`);
  }
  const after = cpuOf(world, service);
  const per100k = (name: keyof typeof after): number | null => {
    const [from, to] = [before[name], after[name]];
    return from === null || to === null ? null : ((to - from) / events) * 100_000;
  };
  const perSecond = (until: number): number => (events / (until - sent.startedAt)) * 1000;
  return {
    events,
    acceptedPerSecond: perSecond(sent.endedAt),
    deliveredPerSecond: wanted === 0 ? 0 : perSecond(came.lastAt),
    cpu: {
      service: per100k("service"),
      database: service.databaseUrl === null ? null : per100k("database"),
      receiver: per100k("receiver"),
    },
    memory: peakMemory(service.pid),
  };
}

export async function connectLoad(
  world: World,
  service: Service,
  resources: string[],
): Promise<void> {
  await world.load.call("connect", {
    origin: service.address,
    key: service.key,
    connections: MOST_CONNECTIONS,
    resources,
    run: world.nextRun(),
  });
}

function cpuOf(world: World, service: Service) {
  return {
    service: cpuSeconds(service.pid),
    database: cpuSeconds(world.postgres.pid),
    receiver: cpuSeconds(world.receiver.pid),
  };
}
