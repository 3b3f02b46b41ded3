import type { Fault } from "./plan.ts";
import { type RunOptions, type RunReport, runSeed } from "./run-seed.ts";

/**
 * Leaves out faults, half of them, then a quarter, then one by one, as long as the same is violated. Answers the last
 * run that failed and the faults that it had.
 */
export async function shrink(
  failed: RunReport,
  options: Pick<RunOptions, "seed" | "store" | "style">,
): Promise<{ report: RunReport; without: number[] }> {
  const wanted = failed.violations[0]?.kind ?? "";
  let kept: readonly Fault[] = failed.faults;
  let report = failed;
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : size >> 1) {
    for (let from = 0; from < kept.length;) {
      const fewer = kept.filter((_, index) => index < from || index >= from + size);
      const ids = new Set(fewer.map(({ id }) => id));
      const next = await runSeed({ ...options, keeps: ({ id }) => ids.has(id) });
      if (next.kinds.has(wanted)) {
        kept = fewer;
        report = next;
      } else from += size;
    }
  }
  const left = new Set(kept.map(({ id }) => id));
  return { report, without: failed.faults.map(({ id }) => id).filter((id) => !left.has(id)) };
}
