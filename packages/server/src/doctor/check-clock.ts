import type { Facts } from "./facts.ts";
import { type Finding, finding } from "./catalogue.ts";

/** Two machines kept by NTP never differ by this much. */
const TOLERANCE_MS = 5000;

/** Compares this machine's clock with the database's; with SQLite, with the latest stored time. */
export function checkClock({ database, system }: Facts): Finding[] {
  if (database.inspection === null) return [];
  if (database.kind === "sqlite") {
    const aheadMs = database.inspection.latestAt - system.wallNow;
    if (aheadMs <= TOLERANCE_MS) return [];
    const seconds = Math.round(aheadMs / 1000);
    return [
      finding("clock_was_ahead", `The database's clock is ${seconds} s ahead of this machine's.`),
    ];
  }
  const [before, after] = database.clock;
  const { now } = database.inspection;
  return [
    ...judge(now - after, "behind the database server's clock"),
    ...judge(before - now, "ahead of the database server's clock"),
  ];
}

function judge(offMs: number, how: string): Finding[] {
  if (offMs <= TOLERANCE_MS) return [];
  return [finding("clock_off", `This machine's clock is ${Math.round(offMs / 1000)} s ${how}.`)];
}
