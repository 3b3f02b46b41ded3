import type { OperatorOverview } from "@markethook/client";
import { useState } from "react";

/** What is drawn over time. */
export interface Sample {
  /** Milliseconds since 1970. */
  at: number;
  perSecond: number;
  oldestDueSeconds: number;
  due: number;
  leased: number;
}

/** A quarter of an hour, at one every two seconds. */
const MOST = 450;

/** The figures since the page was opened, oldest first. They are not stored anywhere. */
export function useHistory(overview: OperatorOverview | undefined, at: number): readonly Sample[] {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  if (overview === undefined || samples.at(-1)?.at === at) return samples;
  const sample: Sample = {
    at,
    perSecond: overview.deliveriesPerSecond,
    oldestDueSeconds: overview.dueNow === 0 ? 0 : overview.oldestDueSeconds,
    due: overview.dueNow,
    leased: overview.leased,
  };
  const next = [...samples, sample].slice(-MOST);
  setSamples(next);
  return next;
}
