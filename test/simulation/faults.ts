import type { Instance } from "./instance.ts";
import type { Fault } from "./plan.ts";
import type { Oracles } from "./oracles.ts";
import type { Receivers } from "./receivers.ts";
import type { Database } from "./database.ts";
import type { Timeline } from "./timeline.ts";

export interface Harm {
  timeline: Timeline;
  database: Database;
  receivers: Receivers;
  oracles: Oracles;
  instances: readonly Instance[];
  /** Answers what promotes the standby as it is now; false where another one was promoted meanwhile. Null: there is none. */
  copyToStandby(): (() => boolean) | null;
  /** In the place of one that has ended. */
  startAgain(instance: number): void;
}

/** When nothing of it is felt any more. */
export function endOf(fault: Fault): number {
  switch (fault.kind) {
    case "kill":
    case "restart":
      return fault.at + fault.backAfter;
    case "clock":
    case "database clock":
      return fault.at;
    case "lost answers":
      return fault.at + fault.ms + fault.lateMs;
    default:
      return fault.at + fault.ms;
  }
}

export function plan(fault: Fault, harm: Harm): void {
  if (fault.kind === "failover") {
    planFailover(fault, harm);
    return;
  }
  harm.timeline.at(fault.at, null, () => {
    harm.database.trace(`fault ${fault.id}: ${fault.kind}`);
    if (begin(fault, harm)) harm.oracles.counts.faults += 1;
  });
}

type Failover = Extract<Fault, { kind: "failover" }>;

function planFailover(fault: Failover, harm: Harm): void {
  const { timeline, database, oracles } = harm;
  // From then on nothing is copied.
  timeline.at(fault.at - fault.losesMs, null, () => {
    const promote = harm.copyToStandby();
    if (promote === null) return;
    timeline.at(fault.at, null, () => {
      if (!promote()) return;
      database.trace(`fault ${fault.id}: ${fault.kind}`);
      oracles.counts.faults += 1;
      refuse(fault.ms, 1, harm);
    });
  });
}

function refuse(ms: number, part: number, { timeline, database }: Harm): void {
  database.trouble.refused = part;
  timeline.after(ms, null, () => (database.trouble.refused = 0));
}

/** False where it meets an instance that is already gone. */
function begin(fault: Exclude<Fault, Failover>, harm: Harm): boolean {
  switch (fault.kind) {
    case "kill":
      return kill(fault.instance, fault.backAfter, harm);
    case "restart":
      return restart(fault.instance, fault.backAfter, harm);
    case "stop":
    case "suspend":
      return halt(fault, harm);
    case "clock":
      harm.instances[fault.instance]?.machine.setWallClock(harm.timeline.now, fault.byMs);
      return true;
    case "database clock":
      harm.database.setClock(fault.byMs);
      harm.oracles.timesChanged();
      return true;
    case "outage": {
      const { hosts } = harm.receivers;
      const out = hosts.filter((_, index) => index % 10 === fault.id % 10);
      harm.receivers.goOut(out, fault.hangs);
      harm.timeline.after(fault.ms, null, () => harm.receivers.comeBack(out));
      return true;
    }
    default:
      trouble(fault, harm);
      return true;
  }
}

function kill(instance: number, backAfter: number, harm: Harm): boolean {
  const { timeline, oracles, instances } = harm;
  const one = instances[instance];
  if (one === undefined || one.machine.state === "dead") return false;
  oracles.mayRepeat(one.incarnation.statistics().unsettled);
  timeline.kill(one.machine);
  timeline.after(backAfter, null, () => harm.startAgain(instance));
  return true;
}

/** Stopped in order. */
function restart(instance: number, backAfter: number, harm: Harm): boolean {
  const { timeline, instances, oracles } = harm;
  const one = instances[instance];
  if (one === undefined || one.machine.state !== "running" || one.dispatcher === null) {
    return false;
  }
  const { dispatcher, machine, incarnation } = one;
  one.dispatcher = null;
  // With the database gone it does not wait for longer than its lease.
  const { open, unsettled } = incarnation.statistics();
  oracles.mayRepeat(open + unsettled);
  timeline.after(0, machine, () => {
    const gone = (): void => {
      // While it waits for accepts under way it goes on sending.
      const more = incarnation.statistics().unsettled - open - unsettled;
      oracles.mayRepeat(Math.max(0, more));
      // Only once, by what comes first.
      timeline.after(0, null, () => {
        if (machine.state === "dead") return;
        timeline.kill(machine);
        timeline.after(backAfter, null, () => harm.startAgain(instance));
      });
    };
    dispatcher.stop().then(gone, gone);
  });
  return true;
}

function halt(fault: Extract<Fault, { kind: "stop" | "suspend" }>, harm: Harm): boolean {
  const { timeline, instances, oracles } = harm;
  const one = instances[fault.instance];
  if (one?.machine.state !== "running") return false;
  const { machine, incarnation } = one;
  // Others may send these before it goes on.
  oracles.mayRepeat(incarnation.statistics().unsettled);
  if (fault.kind === "stop") machine.state = "stopped";
  else machine.fallAsleep(timeline.now, fault.bothClocks);
  timeline.after(fault.ms, null, () => {
    if (machine.state !== "dead") timeline.goOn(machine);
  });
  return true;
}

function trouble(
  fault: Extract<
    Fault,
    { kind: "slow store" | "stalled store" | "refusing store" | "lost answers" }
  >,
  harm: Harm,
): void {
  const { timeline, database } = harm;
  const { trouble } = database;
  const over = (work: () => void): void => timeline.after(fault.ms, null, work);
  switch (fault.kind) {
    case "slow store":
      trouble.slow = fault.factor;
      over(() => (trouble.slow = 1));
      break;
    case "stalled store":
      trouble.stalledUntil = Math.max(trouble.stalledUntil, timeline.now + fault.ms);
      break;
    case "refusing store":
      refuse(fault.ms, fault.part, harm);
      break;
    case "lost answers":
      trouble.lost = fault.part;
      trouble.lateMs = fault.lateMs;
      over(() => (trouble.lost = 0));
  }
}
