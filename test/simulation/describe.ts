import type { Fault, Style } from "./plan.ts";
import type { RunReport } from "./run-seed.ts";

/** One line for a run, and for a failed one what was violated. */
export function describeRun(report: RunReport): string {
  const { seed, load, instances, struck, written, duplicates, violations } = report;
  const seconds = Math.round(report.simulatedMs / 1000);
  const line =
    `seed ${seed}: ${load}, ${instances} instances, ${seconds} s, ${struck} faults, ` +
    `${report.events} events, ${written} requests, ${duplicates} again, ` +
    `drained in ${Math.round(report.drainedMs / 1000)} s, hash ${report.hash}`;
  if (violations.length === 0) return line;
  const kinds = Array.from(report.kinds, ([kind, count]) => `${kind} (${count})`).join(", ");
  const first = violations
    .slice(0, 5)
    .map(({ kind, at, text }) => `  ${Math.round(at)} ms ${kind}: ${text}`);
  return [`${line}\n  VIOLATED: ${kinds}`, ...first].join("\n");
}

export function describeFault(fault: Fault): string {
  const { id, kind, at, ...rest } = fault;
  return `  ${id} ${kind} at ${Math.round(at)} ms ${JSON.stringify(rest)}`;
}

/** How to see it again. */
export function commandFor(
  seed: number,
  store: string,
  { style = "usual", without = [] }: { style?: Style; without?: readonly number[] } = {},
): string {
  const left = without.length === 0 ? "" : ` --without ${without.join(",")}`;
  const named = style === "usual" ? "" : ` --${style}`;
  return `npm run simulate -- --seed ${seed} --store ${store}${named}${left}`;
}

/** When the runs of a seed on two stores part; null: they are the same to the last event. */
export function differenceOf([one, other]: readonly RunReport[]): string | null {
  if (one === undefined || other === undefined || one.hash === other.hash) return null;
  const second = one.hashes.findIndex((hash, index) => hash !== other.hashes[index]);
  return second === -1 ? "at the end" : `in second ${second} of simulated time`;
}
