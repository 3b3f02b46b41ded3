import type { ReplayRange } from "@markethook/client";

type ReplayState = "dead" | "cancelled" | "delivered";

export interface RangeChoice {
  /** Seconds until now, `since`, `all`, or `range`. */
  span: string;
  /** Of `since`, Unix seconds: when an event was reported. */
  since?: number;
  /** Of `range`, Unix seconds. */
  from?: number | undefined;
  to?: number | undefined;
  /** Of deliveries that ended. */
  states: ReplayState[];
  /** Instead of those: events that never had a delivery. */
  missing: boolean;
}

/** Null while the choice is not complete. */
export function rangeOf(choice: RangeChoice, now: number): ReplayRange | null {
  const { span, since, from, to, states, missing } = choice;
  if (!missing && states.length === 0) return null;
  const which = missing ? { include: "missing" as const } : { states };
  // What is made in this very second belongs to it.
  if (span === "since" && since !== undefined) return { from: since, to: now + 1, ...which };
  if (span === "all") return { from: 0, to: now + 1, ...which };
  if (span !== "range") return { from: now - Number(span), to: now + 1, ...which };
  return from === undefined || to === undefined || from >= to ? null : { from, to, ...which };
}
