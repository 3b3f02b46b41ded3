import type { ReplayRange } from "@markethook/client";

type ReplayState = "dead" | "cancelled" | "delivered";

export interface RangeChoice {
  /** Seconds until now, or `range`. */
  span: string;
  /** Of `range`, Unix seconds. */
  from?: number | undefined;
  to?: number | undefined;
  states: ReplayState[];
}

/** Null while the choice is not complete. */
export function rangeOf(choice: RangeChoice, now: number): ReplayRange | null {
  const { span, from, to, states } = choice;
  if (states.length === 0) return null;
  // What is made in this very second belongs to it.
  if (span !== "range") return { from: now - Number(span), to: now + 1, states };
  return from === undefined || to === undefined || from >= to ? null : { from, to, states };
}
