import type { Facts } from "./facts.ts";
import { type Finding, finding } from "./catalogue.ts";

/** Two machines kept by NTP never differ by this much. */
const TOLERANCE_MS = 5000;

/** Compares this machine's clock with the database's; with SQLite, with the latest stored time. */
export function* checkClock({ database, system }: Facts): Iterable<Finding> {
  if (database.inspection === null) return;
  if (database.kind === "sqlite") {
    const aheadMs = database.inspection.latestAt - system.wallNow;
    if (aheadMs <= TOLERANCE_MS) return;
    const seconds = Math.round(aheadMs / 1000);
    yield finding(
      "clock_was_ahead",
      `The database's clock is ${seconds} s ahead of this machine's.`,
    );
    return;
  }
  const [before, after] = database.clock;
  const { now } = database.inspection;
  for (const [offMs, how] of [
    [now - after, "behind"],
    [before - now, "ahead of"],
  ] as const) {
    if (offMs <= TOLERANCE_MS) continue;
    const off = `${Math.round(offMs / 1000)} s ${how} the database server's clock`;
    yield finding("clock_off", `This machine's clock is ${off}.`);
  }
}
