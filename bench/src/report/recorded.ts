import { readFileSync, writeFileSync } from "node:fs";
import type { Results } from "./results.ts";
import { spread } from "./statistics.ts";

/** Ratios to the bare loop that a full run has shown; kept with the sources. */
type Recorded = Record<string, number>;

const FILE = new URL("../../recorded.json", import.meta.url);
/** CI's machine is noisy: below this part of what was recorded, something broke. */
const LEAST_PART = 2 / 3;

function ratiosToBareLoop({ rounds }: Results): Recorded {
  const ratios: Recorded = {};
  for (const kind of ["sqlite", "postgres"] as const) {
    const values = rounds.flatMap(({ stores, bareLoop }) => {
      const rate = stores[kind]?.batched.deliveredPerSecond;
      return rate === undefined ? [] : [rate / bareLoop];
    });
    if (values.length > 0) ratios[kind] = Math.round(spread(values).median * 1000) / 1000;
  }
  return ratios;
}

export function record(results: Results): void {
  writeFileSync(FILE, `${JSON.stringify(ratiosToBareLoop(results), null, 2)}\n`);
}

/** Sentences about what fell too far. */
export function compare(results: Results): string[] {
  return fallen(JSON.parse(readFileSync(FILE, "utf8")) as Recorded, ratiosToBareLoop(results));
}

export function fallen(recorded: Recorded, now: Recorded): string[] {
  return Object.entries(recorded).flatMap(([kind, before]) => {
    const value = now[kind];
    if (value === undefined || value >= before * LEAST_PART) return [];
    return [
      `${kind}: ${value} of the bare loop; ${before} is recorded, and less than two thirds of it is a fault.`,
    ];
  });
}
