import { readFileSync, writeFileSync } from "node:fs";
import type { Results } from "./results.ts";
import { spread } from "./statistics.ts";

/** What a full run has shown; kept with the sources. */
interface Recorded {
  /** Ratios to the bare loop, by store. */
  rates: Record<string, number>;
  /** Bytes per delivery in batches, by store. */
  written: Record<string, number>;
}

const FILE = new URL("../../recorded.json", import.meta.url);
/** CI's machine is noisy: below this part of what was recorded, something broke. */
const LEAST_PART = 2 / 3;
/** Larger or smaller commits alone change it by a part of this. */
const MOST_WRITTEN = 1.5;

function measured({ rounds }: Results): Recorded {
  const now: Recorded = { rates: {}, written: {} };
  for (const kind of ["sqlite", "postgres"] as const) {
    const values = rounds.flatMap(({ stores, bareLoop }) => {
      const rate = stores[kind]?.batched.deliveredPerSecond;
      return rate === undefined ? [] : [rate / bareLoop];
    });
    if (values.length > 0) now.rates[kind] = Math.round(spread(values).median * 1000) / 1000;
    const bytes = rounds.flatMap(({ stores }) => stores[kind]?.batched.written ?? []);
    if (bytes.length > 0) now.written[kind] = Math.round(spread(bytes).median);
  }
  return now;
}

export function record(results: Results): void {
  writeFileSync(FILE, `${JSON.stringify(updated(readRecorded(), measured(results)), null, 2)}\n`);
}

/** What was not measured stays: without a value here nothing is asked of it any more. */
export function updated(before: Recorded, now: Recorded): Recorded {
  return {
    rates: { ...before.rates, ...now.rates },
    written: { ...before.written, ...now.written },
  };
}

/** Sentences about what fell too far. */
export function compare(results: Results): string[] {
  return fallen(readRecorded(), measured(results));
}

function readRecorded(): Recorded {
  return JSON.parse(readFileSync(FILE, "utf8")) as Recorded;
}

export function fallen(recorded: Recorded, now: Recorded): string[] {
  const faults: string[] = [];
  for (const [kind, before] of Object.entries(recorded.rates)) {
    const value = now.rates[kind];
    if (value === undefined || value >= before * LEAST_PART) continue;
    faults.push(
      `${kind}: ${value} of the bare loop; ${before} is recorded, and less than two thirds of it is a fault.`,
    );
  }
  for (const [kind, before] of Object.entries(recorded.written)) {
    const value = now.written[kind];
    if (value === undefined || value <= before * MOST_WRITTEN) continue;
    faults.push(
      `${kind}: ${value} bytes written per delivery; ${before} are recorded, and half as many again are a fault.`,
    );
  }
  return faults;
}
