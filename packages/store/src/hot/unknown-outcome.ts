/** The record of a request that was started and whose end is unknown, because its process died. */
export const UNKNOWN_OUTCOME = {
  outcome: "outcome_unknown",
  detail: (at: number): string => JSON.stringify({ at }),
} as const;
