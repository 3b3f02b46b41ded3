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
      return fault.at;
    case "lost answers":
      return fault.at + fault.ms + fault.lateMs;
    default:
      return fault.at + fault.ms;
  }
}

export function plan(fault: Fault, harm: Harm): void {
  harm.timeline.at(fault.at, null, () => {
    harm.database.trace(`fault ${fault.id}: ${fault.kind}`);
    begin(fault, harm);
  });
}

function begin(fault: Fault, harm: Harm): void {
  switch (fault.kind) {
    case "kill":
      kill(fault.instance, fault.backAfter, harm);
      break;
    case "restart":
      restart(fault.instance, fault.backAfter, harm);
      break;
    case "stop":
    case "suspend":
      halt(fault, harm);
      break;
    case "clock":
      harm.instances[fault.instance]?.machine.setWallClock(fault.byMs);
      break;
    case "outage": {
      const { hosts } = harm.receivers;
      const out = hosts.filter((_, index) => index % 10 === fault.id % 10);
      harm.receivers.goOut(out, fault.hangs);
      harm.timeline.after(fault.ms, null, () => harm.receivers.comeBack(out));
      break;
    }
    default:
      trouble(fault, harm);
  }
}

function kill(instance: number, backAfter: number, harm: Harm): void {
  const { timeline, oracles, instances } = harm;
  const one = instances[instance];
  if (one === undefined || one.machine.state === "dead") return;
  oracles.mayRepeat(one.incarnation.statistics().unsettled);
  timeline.kill(one.machine);
  timeline.after(backAfter, null, () => harm.startAgain(instance));
}

/** Stopped in order. */
function restart(instance: number, backAfter: number, harm: Harm): void {
  const { timeline, instances, oracles } = harm;
  const one = instances[instance];
  if (one === undefined || one.machine.state !== "running" || one.dispatcher === null) return;
  const { dispatcher, machine, incarnation } = one;
  one.dispatcher = null;
  // With the database gone it does not wait for longer than its lease.
  const { open, unsettled } = incarnation.statistics();
  oracles.mayRepeat(open + unsettled);
  timeline.after(0, machine, () => {
    const gone = (): void => {
      // Only once, by what comes first.
      timeline.after(0, null, () => {
        if (machine.state === "dead") return;
        timeline.kill(machine);
        timeline.after(backAfter, null, () => harm.startAgain(instance));
      });
    };
    dispatcher.stop().then(gone, gone);
  });
}

function halt(fault: Extract<Fault, { kind: "stop" | "suspend" }>, harm: Harm): void {
  const { timeline, instances, oracles } = harm;
  const one = instances[fault.instance];
  if (one?.machine.state !== "running") return;
  const { machine, incarnation } = one;
  // Others may send these before it goes on.
  oracles.mayRepeat(incarnation.statistics().unsettled);
  if (fault.kind === "stop") machine.state = "stopped";
  else machine.fallAsleep(timeline.now, fault.bothClocks);
  timeline.after(fault.ms, null, () => {
    if (machine.state !== "dead") timeline.goOn(machine);
  });
}

function trouble(
  fault: Extract<
    Fault,
    { kind: "slow store" | "stalled store" | "refusing store" | "lost answers" }
  >,
  { timeline, database }: Harm,
): void {
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
      trouble.refused = fault.part;
      over(() => (trouble.refused = 0));
      break;
    case "lost answers":
      trouble.lost = fault.part;
      trouble.lateMs = fault.lateMs;
      over(() => (trouble.lost = 0));
  }
}
