import { execute } from "@markethook/store/testing";
import { bytesWritten, cpuSeconds, peakMemory, threadSeconds } from "./usage.ts";
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
  cpu: Cpu;
  /** Bytes on disk per event, PostgreSQL's log alone; null where the system does not tell. */
  written: number | null;
  /** MiB, the most so far. */
  memory: number | null;
}

export interface Cpu {
  service: number | null;
  /** Of the service: the main thread, and worker threads such as SQLite's. */
  main: number | null;
  workers: number | null;
  database: number | null;
  receiver: number | null;
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
  const costs = await startCosts(world, service);
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
  const perSecond = (until: number): number => (events / (until - sent.startedAt)) * 1000;
  return {
    events,
    acceptedPerSecond: perSecond(sent.endedAt),
    deliveredPerSecond: wanted === 0 ? 0 : perSecond(came.lastAt),
    ...(await costs.of(events)),
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

/** What is used from now on, until so many events are through. */
export async function startCosts(
  world: World,
  service: Service,
): Promise<{ of(events: number): Promise<Pick<Throughput, "cpu" | "written">> }> {
  const used = async (): Promise<Cpu & { written: number | null }> => ({
    service: cpuSeconds(service.pid),
    main: threadSeconds(service.pid)?.main ?? null,
    workers: threadSeconds(service.pid)?.workers ?? null,
    database: service.databaseUrl === null ? null : cpuSeconds(world.postgres.pid),
    receiver: cpuSeconds(world.receiver.pid),
    written: await written(service),
  });
  const before = await used();
  return {
    async of(events) {
      const after = await used();
      const per = (name: keyof typeof after, many: number): number | null => {
        const [from, to] = [before[name], after[name]];
        return from === null || to === null ? null : ((to - from) / events) * many;
      };
      const cpu = (name: keyof Cpu): number | null => per(name, 100_000);
      return {
        cpu: {
          service: cpu("service"),
          main: cpu("main"),
          workers: cpu("workers"),
          database: cpu("database"),
          receiver: cpu("receiver"),
        },
        written: per("written", 1),
      };
    },
  };
}

/** What PostgreSQL wrote to its tables' files depends on when its checkpoints come; its log does not. */
async function written({ databaseUrl, pid }: Service): Promise<number | null> {
  if (databaseUrl === null) return bytesWritten(pid);
  const query = "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes";
  return Number((await execute(databaseUrl, query))[0]?.["bytes"]);
}
