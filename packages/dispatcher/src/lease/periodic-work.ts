import type { DeliveryStore, InstanceStore, Maintenance, QueuedDelivery } from "@markethook/store";
import type { Heartbeat } from "./heartbeat.ts";
import type { Leases } from "./leases-and-lost-answers.ts";
import type { Observer } from "../wiring/observer.ts";
import type { DispatcherSettings } from "../wiring/settings.ts";
import { repeat } from "./repeat.ts";
import { watchForSilence } from "./silent-instances.ts";

export interface PeriodicWorkOptions {
  store: {
    deliveries: Pick<DeliveryStore, "rescue" | "claimProbes" | "cancelMarked" | "pullForward">;
    maintenance: Pick<Maintenance, "prune" | "tellGivenUp" | "followClock">;
    instances: Pick<InstanceStore, "list">;
  };
  settings: Pick<
    DispatcherSettings,
    "leaseMs" | "probeEveryMs" | "retentionMs" | "idempotencyMs" | "slowStart" | "concurrency"
  >;
  heartbeat: Pick<Heartbeat, "current">;
  leases: Pick<Leases, "take" | "took" | "probes">;
  now: () => number;
  observer: Observer;
  rescued(): void;
}

/** Probes that begin in a beat, whether or not earlier ones have ended. */
const PROBES = 50;
const PROBE_BEAT_MS = 10_000;
/** Part of all open requests for probes: half of the part for failing webhooks. */
const PROBES_PART = 0.15;
const MOST_PROBES = 100;
const MORE_PROBES_EVERY_MS = 1000;
const STEP = 2000;
const PRUNE_EVERY_MS = 60_000;
const CANCEL_EVERY_MS = 1000;
const PULL_EVERY_MS = 500;
const TELL_EVERY_MS = 20_000;
const TOLD_AT_ONCE = 100;
const FOLLOW_CLOCK_EVERY_MS = 5000;

/**
 * Work outside the hot path. Each kind has a timer of its own and never runs twice at once: rescue (deliveries of dead
 * instances), probes of disabled webhooks, cancelling in the background, making waiting deliveries due after a
 * recovery, notices about deliveries that were given up, following a database's clock that was set back, and pruning.
 */
export function createPeriodicWork(options: PeriodicWorkOptions) {
  const { heartbeat, leases, observer } = options;
  const { deliveries, maintenance, instances } = options.store;
  const { leaseMs, probeEveryMs, retentionMs, idempotencyMs, slowStart, concurrency } =
    options.settings;
  const findSilent = watchForSilence(leaseMs, options.now);
  /** Each ends the timer of one kind of work, after its last run. */
  const ends: (() => Promise<void>)[] = [];

  async function rescue(): Promise<void> {
    const own = heartbeat.current();
    if (own === null) return;
    const silent = await findSilent(() => instances.list());
    const outcome = await deliveries.rescue(silent.filter(({ instanceNo }) => instanceNo !== own));
    if (outcome.instanceNos.length === 0 && outcome.rescued === 0 && outcome.quarantined === 0)
      return;
    observer.rescued(outcome);
    options.rescued();
  }

  async function probe(limit: number): Promise<void> {
    if (limit <= 0) return;
    const own = leases.take();
    if (own === null) return;
    let found: QueuedDelivery[] | null = null;
    try {
      found = await deliveries.claimProbes(own, limit, probeEveryMs);
    } finally {
      leases.took(own, found);
    }
  }

  /** As many more as have ended: most fail at once. Those that hang must not take the slots of other failing webhooks. */
  async function probeMore(): Promise<void> {
    const most = Math.min(MOST_PROBES, Math.floor(concurrency * PROBES_PART));
    await probe(most - leases.probes);
  }

  async function followClock(): Promise<void> {
    const { moved, byMs } = await maintenance.followClock(STEP);
    if (moved === 0) return;
    const error = new Error(
      `The database's clock was set back by ${Math.round(byMs / 1000)} s. ${moved} waiting deliveries that seemed to be made in the future go on; other waits and retries are later by as much.`,
    );
    observer.fault("follow the database's clock", error);
  }

  /** Work that is done when a step of it finds nothing more to do. */
  function inSteps(step: () => Promise<number>): () => Promise<void> {
    return async () => {
      while (!stopped && (await step()) > 0);
    };
  }

  function begin(name: string, everyMs: number, work: () => Promise<void>): void {
    const run = async (): Promise<number> => {
      await work().catch((error: unknown) => observer.fault(name, error));
      return everyMs;
    };
    ends.push(repeat(everyMs, run));
  }

  let stopped = false;
  return {
    start(): void {
      const cancel = inSteps(() => deliveries.cancelMarked(STEP));
      const pull = inSteps(() => deliveries.pullForward(STEP, slowStart));
      const tell = inSteps(() => maintenance.tellGivenUp(retentionMs, TOLD_AT_ONCE));
      const prune = inSteps(() => maintenance.prune(retentionMs, idempotencyMs, STEP));
      begin("rescue", leaseMs / 8, rescue);
      begin("probe", Math.min(probeEveryMs, PROBE_BEAT_MS), () => probe(PROBES));
      begin("probe", Math.min(probeEveryMs, MORE_PROBES_EVERY_MS), probeMore);
      begin("cancel", CANCEL_EVERY_MS, cancel);
      begin("pull forward", PULL_EVERY_MS, pull);
      begin("note given-up deliveries", TELL_EVERY_MS, tell);
      begin("follow the database's clock", FOLLOW_CLOCK_EVERY_MS, followClock);
      begin("prune", PRUNE_EVERY_MS, prune);
    },
    async stop(): Promise<void> {
      stopped = true;
      await Promise.all(ends.map((end) => end()));
    },
  };
}
