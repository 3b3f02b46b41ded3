import { createHash } from "node:crypto";
import type { ChatOptions } from "@markethook/chat";
import type { Backend } from "./backend.ts";
import { choicesFor } from "./choices.ts";
import { Database } from "./database.ts";
import { endOf, plan as planFault } from "./faults.ts";
import { BASE_URL, EPOCH, type Instance, SCHEDULE, startInstance, type World } from "./instance.ts";
import { Hints } from "./hints.ts";
import { judgeEnd } from "./judge-end.ts";
import { modelBackend } from "./model-backend.ts";
import { Ledger } from "./ledger.ts";
import { Marketplace } from "./marketplace.ts";
import {
  failingAt,
  judgeIsolation,
  judgeRate,
  waitsOfGoodOwners,
  webhooksWithoutRoom,
} from "./liveness.ts";
import { Oracles, type Violation } from "./oracles.ts";
import { Paces } from "./paces.ts";
import { type Fault, type Plan, planFor, type Style } from "./plan.ts";
import { Receivers } from "./receivers.ts";
import { simulateGlobals } from "./simulated-globals.ts";
import { sqliteBackend } from "./sqlite-backend.ts";
import { Timeline } from "./timeline.ts";

export type StoreKind = "sqlite" | "model";

export interface RunOptions {
  seed: number;
  store: StoreKind;
  style?: Style;
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
  kinds: Map<string, number>;
  faults: Fault[];
  /** Those of them that met an instance which was there. */
  struck: number;
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
/** Faults are not felt any more, and receivers are as bad as before. */
const CALM_FROM_MS = 15 * SECOND;
const CALM_UNTIL_MS = 5 * SECOND;
/** Instances count each other every two seconds. */
const COUNTED_MS = 5 * SECOND;
const FAILED_FOR_MS = 60 * SECOND;
/** A channel has one, in all webhooks that share it. Their threads tell them apart. */
const TOKEN = "x".repeat(68);
/** Each message's title is the number of its event, by which the simulated sender knows it. */
const CHAT_OPTIONS = JSON.stringify({
  messages: {
    "product.user.purchase": { title: "{order}" },
    "product.user.purchaseRemoved": { title: "{order}" },
  },
  refunds: "post",
  threadId: null,
} satisfies ChatOptions);
const NEIGHBOURS = "waits for its neighbours";

/** Where there are bad neighbours, the seed runs once more without them, to know how long others wait anyway. */
export async function runSeed(options: RunOptions): Promise<RunReport> {
  const plan = planFor(options.seed, options.style ?? "usual");
  const { report, waits } = await run(plan, options);
  if (!plan.shape.crowdOfBad) return report;
  const { listen: _, ...quietly } = options;
  const control = await run(withoutBadReceivers(plan), quietly);
  const found = judgeIsolation(waits, control.waits);
  if (found.length > 0) report.kinds.set(NEIGHBOURS, found.length);
  for (const text of found) {
    report.violations.push({ kind: NEIGHBOURS, at: report.simulatedMs, text });
  }
  return report;
}

function withoutBadReceivers(plan: Plan): Plan {
  const receivers = plan.shape.receivers.map((receiver) =>
    receiver.manner === "fast" ? receiver : { ...receiver, manner: "usual" as const },
  );
  return { ...plan, shape: { ...plan.shape, receivers } };
}

function openBackend(
  { seed, store, style }: RunOptions,
  now: () => number,
  shared: boolean,
): Backend {
  if (store === "sqlite") return sqliteBackend(now, BASE_URL, shared);
  if (style !== "failovers") return modelBackend(now, BASE_URL, shared);
  // As in PostgreSQL.
  const leases = choicesFor(seed, "leases");
  return modelBackend(now, BASE_URL, shared, () => leases.whole(1, 2 ** 31 - 2));
}

async function run(
  plan: Plan,
  options: RunOptions,
): Promise<{ report: RunReport; waits: ReadonlyMap<number, number> }> {
  const { seed } = options;
  const faults = plan.faults.filter((fault) => options.keeps?.(fault) ?? true);
  const timeline = new Timeline();
  const trace = createTrace(timeline, options.listen);
  const { shape } = plan;
  const database = new Database(timeline, choicesFor(seed, "database"), trace.add);
  const now = (): number => Math.floor(EPOCH + timeline.now + database.clockByMs);
  const backend = openBackend(options, now, !shape.exclusive);
  const receivers = new Receivers(shape.receivers, choicesFor(seed, "receivers"));
  const ledger = new Ledger();
  const oracles = new Oracles({
    timeline,
    backend,
    ledger,
    receivers,
    schedule: SCHEDULE,
    paces: new Paces(shape, backend, database, (at) =>
      faults.every((fault) => at < fault.at || at > endOf(fault) + COUNTED_MS),
    ),
    trace: trace.add,
  });
  const world: World = {
    timeline,
    database,
    hints: new Hints(timeline, choicesFor(seed, "hints"), shape.hints),
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
    const healthyAt = Math.max(0, ...faults.map(endOf));
    const quietAt = Math.max(healthyAt, shape.faultsUntil) + LOAD_AFTER_MS;
    const when = { healthyAt, quietAt, isStorm: options.style === "storm" };
    await runPlan(world, plan, faults, seed, ledger, when).catch((error: unknown) => {
      // Reported like any other violation, with the command that repeats the seed.
      oracles.violate("the run threw", error instanceof Error ? `${error.stack}` : String(error));
    });
    const report = {
      seed,
      load: shape.load,
      hash: trace.finish(),
      hashes: trace.hashes,
      violations: oracles.violations,
      kinds: oracles.kinds,
      faults,
      struck: oracles.counts.faults,
      simulatedMs: timeline.now,
      instances: shape.instances,
      happened: timeline.happened,
      written: oracles.counts.written,
      events: backend.countEvents(),
      duplicates: oracles.counts.duplicates,
      drainedMs: timeline.now - quietAt,
      lateMs: oracles.counts.lateMs,
    };
    const calm = { from: healthyAt + CALM_FROM_MS, to: quietAt - CALM_UNTIL_MS };
    return { report, waits: waitsOfGoodOwners(shape, ledger, oracles, calm) };
  } finally {
    process.off("unhandledRejection", rejected);
    restore();
    backend.close();
  }
}

async function runPlan(
  world: World,
  { shape, rates }: Plan,
  faults: readonly Fault[],
  seed: number,
  ledger: Ledger,
  { healthyAt, quietAt, isStorm }: { healthyAt: number; quietAt: number; isStorm: boolean },
): Promise<void> {
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
  // An orderly stop waits for open requests, so it may end after the last fault.
  let backAt = healthyAt;
  const startAgain = (index: number): void => {
    instances[index] = begin(index);
    backAt = Math.max(backAt, timeline.now);
  };
  let failovers = 0;
  const copyToStandby = (): (() => boolean) | null => {
    const promote = backend.copyToStandby?.() ?? null;
    const [copiedAt, before] = [timeline.now, failovers];
    if (promote === null) return null;
    return () => {
      if (failovers !== before) return false;
      failovers += 1;
      const lost = promote();
      oracles.failedOver(lost);
      marketplace.failedOver(lost, copiedAt);
      return true;
    };
  };
  for (const fault of faults) {
    const harm = { timeline, database, receivers, oracles, instances, startAgain, copyToStandby };
    planFault(fault, harm);
  }
  oracles.healthyFrom = healthyAt + SETTLED_MS;
  // Good webhooks that failed in an outage wait among the bad neighbours; all others are compared.
  oracles.soonMs = shape.crowdOfBad ? Infinity : soonMs(shape.load);
  oracles.withoutRoom = webhooksWithoutRoom(shape);
  const marketplace = new Marketplace({
    timeline,
    random: choicesFor(seed, "marketplace"),
    ledger,
    oracles,
    shape,
    failsOver: faults.some(({ kind }) => kind === "failover"),
    entrances: () =>
      instances.flatMap(({ machine, dispatcher }) =>
        dispatcher === null || machine.state === "dead"
          ? []
          : [{ machine, accept: (items) => dispatcher.accept(items) }],
      ),
  });
  marketplace.start(Math.min(quietAt, shape.loadLastsMs));
  await timeline.run(quietAt, () => false);
  timeline.where = null;
  // A storm takes hosts away again and again.
  const slowBy = (at: number): ReadonlySet<number> =>
    isStorm ? failingAt(at, ledger, oracles) : new Set();
  const slowRate = judgeRate(shape, ledger, receivers, { backAt, quietAt }, slowBy);
  if (slowRate !== null) oracles.violate("the rate is not back", slowRate);
  for (const { dispatcher, machine } of instances) {
    if (dispatcher === null) oracles.violate("never came back", machine.name);
  }
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
  for (const [index, { host, resource, failed, channel }] of shape.receivers.entries()) {
    const no = index + 1;
    backend.addWebhook({
      no,
      id: `wh_${String(no).padStart(20, "0")}`,
      resourceId: `resource-${resource}`,
      ownerId: `owner-${resource}`,
      url:
        channel === undefined
          ? `https://${host}/w${no}`
          : `https://${host}/api/webhooks/${channel}/${TOKEN}?thread_id=1${String(no).padStart(18, "0")}`,
      chat: channel === undefined ? null : { options: CHAT_OPTIONS, target: `discord:${channel}` },
      secret: "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL",
      failingSince: failed === true ? EPOCH - FAILED_FOR_MS : null,
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
