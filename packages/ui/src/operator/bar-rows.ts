import type { OperatorOverview } from "@markethook/client";
import { LIMITS } from "@markethook/protocol/limits";
import type { BarRow } from "./bar-list.tsx";
import { shortDuration, whole } from "../words/numbers.ts";
import { words } from "../words/words.ts";

const HOSTS = 8;

/** Hosts of the last 15 minutes, those with the most failures first. */
export function hostRows({ attempts }: Pick<OperatorOverview, "attempts">): BarRow[] {
  return [...Map.groupBy(attempts, ({ host }) => host)]
    .map(([name, some]) => {
      const sum = (accepted: boolean): number =>
        some.reduce((all, one) => all + ((one.outcome === "ok") === accepted ? one.count : 0), 0);
      const [good, bad] = [sum(true), sum(false)];
      return { name, good, bad, words: words.operator.failedOf(bad, good + bad) };
    })
    .sort((one, other) => other.bad - one.bad || other.good - one.good)
    .slice(0, HOSTS);
}

export function suspectRows({ suspects }: Pick<OperatorOverview, "suspects">): BarRow[] {
  return suspects.map(({ level, count }) => ({
    name:
      level > LIMITS.suspectAloneFrom ? words.operator.quarantined : words.operator.level(level),
    good: 0,
    bad: count,
    words: whole(count),
  }));
}

/** The age of each instance's heartbeat, in seconds by the database's clock. */
export function instanceRows(
  overview: Pick<OperatorOverview, "instances" | "leaseMs" | "readAt">,
): BarRow[] {
  const { instances, leaseMs, readAt } = overview;
  return instances.map(({ name, version, renewedAt, networkSuspected }) => {
    const age = Math.max(0, (Date.parse(readAt) - Date.parse(renewedAt)) / 1000);
    // Half a lease, in seconds.
    const isBad = networkSuspected || age > leaseMs / 2 / 1000;
    const heartbeat = words.operator.heartbeat(version, shortDuration(age));
    return {
      name,
      good: isBad ? 0 : age,
      bad: isBad ? age : 0,
      words: networkSuspected ? words.operator.networkSuspected(heartbeat) : heartbeat,
    };
  });
}
