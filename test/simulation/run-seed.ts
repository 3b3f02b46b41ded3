import { createHash } from "node:crypto";
import type { Backend } from "./backend.ts";
import { choicesFor } from "./choices.ts";
import { Database } from "./database.ts";
import { endOf, plan as planFault } from "./faults.ts";
import { BASE_URL, EPOCH, type Instance, SCHEDULE, startInstance, type World } from "./instance.ts";
import { judgeEnd } from "./judge-end.ts";
import { modelBackend } from "./model-backend.ts";
import { Ledger } from "./ledger.ts";
import { Marketplace } from "./marketplace.ts";
import { Oracles, type Violation } from "./oracles.ts";
import { type Fault, type Plan, planFor } from "./plan.ts";
import { Receivers } from "./receivers.ts";
import { simulateGlobals } from "./simulated-globals.ts";
import { sqliteBackend } from "./sqlite-backend.ts";
import { Timeline } from "./timeline.ts";

export type StoreKind = "sqlite" | "model";

export interface RunOptions {
  seed: number;
  store: StoreKind;
  /** Faults that happen; all if left out. */
  keeps?: (fault: Fault) => boolean;
  /** Hears each line of what happened. */
  listen?: (line: string) => void;
}

export interface RunReport {
  seed: number;
  load: string;
  hash: string;
  /** Of all until the end of each simulated second. */
  hashes: string[];
  violations: Violation[];
  /** How often each was violated. */
  kinds: ReadonlyMap<string, number>;
  faults: Fault[];
  simulatedMs: number;
  instances: number;
  happened: number;
  written: number;
  events: number;
  duplicates: number;
  /** From the end of the last fault and the last load until all was sent. */
  drainedMs: number;
  lateMs: number;
}

const SECOND = 1000;
/** Unproven hosts, resolved names and the like: until all goes as usual again. */
const SETTLED_MS = 25 * SECOND;
const LOAD_AFTER_MS = 40 * SECOND;

export async function runSeed(options: RunOptions): Promise<RunReport> {
  const { seed } = options;
  const plan = planFor(seed);
  const faults = plan.faults.filter((fault) => options.keeps?.(fault) ?? true);
  const timeline = new Timeline();
  const trace = createTrace(timeline, options.listen);
  const { shape } = plan;
  const now = (): number => Math.floor(EPOCH + timeline.now);
  const openBackend = options.store === "sqlite" ? sqliteBackend : modelBackend;
  const backend = openBackend(now, BASE_URL, !shape.exclusive);
  const receivers = new Receivers(shape.receivers, choicesFor(seed, "receivers"));
  const ledger = new Ledger();
  const oracles = new Oracles({
    timeline,
    backend,
    ledger,
    receivers,
    schedule: SCHEDULE,
    trace: trace.add,
  });
  const database = new Database(timeline, choicesFor(seed, "database"), trace.add);
  const world: World = {
    timeline,
    database,
    backend,
    receivers,
    oracles,
    shape,
    confirmed: new Map(),
  };
  fill(backend, plan);
  const restore = simulateGlobals(timeline);
  const rejected = (error: unknown): void => {
    oracles.violate("nobody caught", error instanceof Error ? `${error.stack}` : String(error));
  };
  process.on("unhandledRejection", rejected);
  try {
    const quietAt = await runPlan(world, plan, faults, seed, ledger).catch((error: unknown) => {
      // Reported like any other violation, with the command that repeats the seed.
      oracles.violate("the run threw", error instanceof Error ? `${error.stack}` : String(error));
      return timeline.now;
    });
    return {
      seed,
      load: shape.load,
      hash: trace.finish(),
      hashes: trace.hashes,
      violations: oracles.violations,
      kinds: oracles.kinds,
      faults,
      simulatedMs: timeline.now,
      instances: shape.instances,
      happened: timeline.happened,
      written: oracles.counts.written,
      events: backend.countEvents(),
      duplicates: oracles.counts.duplicates,
      drainedMs: timeline.now - quietAt,
      lateMs: oracles.counts.lateMs,
    };
  } finally {
    process.off("unhandledRejection", rejected);
    restore();
    backend.close();
  }
}

/** Answers when the world became quiet. */
async function runPlan(
  world: World,
  { shape, rates }: Plan,
  faults: readonly Fault[],
  seed: number,
  ledger: Ledger,
): Promise<number> {
  const { timeline, database, receivers, oracles, backend } = world;
  const starts = new Map<number, number>();
  const begin = (index: number): Instance => {
    const nth = (starts.get(index) ?? 0) + 1;
    starts.set(index, nth);
    const name = `instance-${index}.${nth}`;
    return startInstance(world, {
      name,
      rate: rates[index] ?? 1,
      random: choicesFor(seed, name),
    });
  };
  const instances = Array.from({ length: shape.instances }, (_, index) => begin(index));
  const startAgain = (index: number): void => void (instances[index] = begin(index));
  for (const fault of faults) {
    planFault(fault, { timeline, database, receivers, oracles, instances, startAgain });
  }
  const healthyAt = Math.max(0, ...faults.map(endOf));
  oracles.healthyFrom = healthyAt + SETTLED_MS;
  oracles.soonMs = soonMs(shape.load);
  const marketplace = new Marketplace({
    timeline,
    random: choicesFor(seed, "marketplace"),
    ledger,
    oracles,
    shape,
    entrances: () =>
      instances.flatMap(({ machine, dispatcher }) =>
        dispatcher === null || machine.state === "dead"
          ? []
          : [{ machine, accept: (items) => dispatcher.accept(items) }],
      ),
  });
  const quietAt = Math.max(healthyAt, shape.faultsUntil) + LOAD_AFTER_MS;
  marketplace.start(Math.min(quietAt, shape.loadLastsMs));
  await timeline.run(quietAt, () => false);
  timeline.where = null;
  receivers.quiet = true;
  const backlog = backend.countOpen();
  const longest = SCHEDULE.at(-1) ?? 0;
  // At worst all of it is for one host whose answers take a second.
  const eachMs = Math.max(150 / shape.receivers.length, SECOND / shape.hostConcurrency);
  const boundMs = longest * 1.2 + 60 * SECOND + backlog * eachMs;
  // Looked at each second only: it is asked of the store.
  let lookAt = 0;
  const done = (): boolean => {
    if (timeline.now < lookAt) return false;
    lookAt = timeline.now + SECOND;
    return marketplace.open === 0 && backend.countOpen() === 0 && instances.every(isIdle);
  };
  await timeline.run(quietAt + boundMs, done);
  judgeEnd({ world, ledger, instances, backlog, boundMs });
  return quietAt;
}

function isIdle({ dispatcher }: Instance): boolean {
  if (dispatcher === null) return false;
  const { open, queued, unsettled } = dispatcher.statistics();
  return open === 0 && queued === 0 && unsettled === 0;
}

function soonMs(load: Plan["shape"]["load"]): number {
  switch (load) {
    // Its receivers take what they can.
    case "backlog":
      return Infinity;
    // Fifty go one after the other, each woken by a look if not by a hint.
    case "one buyer":
    case "crowded places":
      return 60 * SECOND;
    default:
      return 10 * SECOND;
  }
}

function fill(backend: Backend, { shape }: Plan): void {
  const resources = new Set(shape.receivers.map(({ resource }) => resource));
  for (const resource of resources) {
    backend.addResource({ id: `resource-${resource}`, ownerId: `owner-${resource}` });
  }
  for (const [index, { host, resource }] of shape.receivers.entries()) {
    const no = index + 1;
    backend.addWebhook({
      no,
      id: `wh_${String(no).padStart(20, "0")}`,
      resourceId: `resource-${resource}`,
      ownerId: `owner-${resource}`,
      url: `https://${host}/w${no}`,
      secret: "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL",
    });
  }
}

function createTrace(timeline: Timeline, listen: ((line: string) => void) | undefined) {
  const hash = createHash("sha256");
  const hashes: string[] = [];
  let second = 0;
  return {
    hashes,
    add(line: string): void {
      while (timeline.now >= (second + 1) * SECOND) {
        hashes.push(hash.copy().digest("hex").slice(0, 16));
        second += 1;
      }
      const full = `${timeline.now} ${line}\n`;
      hash.update(full);
      listen?.(full);
    },
    finish: (): string => hash.digest("hex").slice(0, 16),
  };
}
