import { LIMITS } from "@markethook/protocol";

/**
 * Finds the delivery that ends the process that sends it. Every delivery that a process had when it ended without
 * stopping is a suspect of level 1. Suspects are marked in the database before they are sent; each one that was marked
 * when a process ended rises by one level. At most 512 >> (n - 1) suspects of level n are open at once: a window that
 * halves with each end. From level 10 on a suspect is sent only while no other one is open. If the process ends once
 * more, it was this delivery. It is quarantined: sent alone, an hour later, then after longer and longer waits.
 *
 * Any answer clears the suspicion. So does a minute without an end, except for quarantined ones.
 */
export const SUSPECT_ALONE_FROM = LIMITS.suspectAloneFrom;

const WIDEST = 512;
const HEALTHY_MS = 60_000;
/** Ends that are further apart than this are unrelated. */
const RELATED_MS = 30 * 60_000;
const FIRST_QUARANTINE_MS = 3_600_000;
const LONGEST_QUARANTINE_MS = 24 * 3_600_000;

/** How many suspects of this level may be open at once. */
export function suspectWindow(level: number): number {
  return Math.max(1, WIDEST >> Math.min(level - 1, 31));
}

export interface MarkedLease {
  seq: number;
  instanceNo: number;
  /** Its level before. */
  suspicion: number;
}

export interface MarkedVerdict extends MarkedLease {
  quarantined: boolean;
  /** Time until it is due again. */
  delayMs: number;
}

/** Judges leases that were marked when their process ended. `suspicion` of the result is the new level. */
export function judgeMarked(leases: readonly MarkedLease[]): MarkedVerdict[] {
  const perInstance = new Map<number, number>();
  for (const { instanceNo } of leases)
    perInstance.set(instanceNo, (perInstance.get(instanceNo) ?? 0) + 1);
  return leases.map(({ seq, instanceNo, suspicion }) => {
    const alone = perInstance.get(instanceNo) === 1;
    const level = alone
      ? suspicion + 1
      : Math.max(suspicion, Math.min(suspicion + 1, SUSPECT_ALONE_FROM));
    const quarantined = level > SUSPECT_ALONE_FROM;
    const delayMs = FIRST_QUARANTINE_MS * 2 ** (level - SUSPECT_ALONE_FROM - 1);
    return {
      seq,
      instanceNo,
      suspicion: level,
      quarantined,
      delayMs: quarantined ? Math.min(LONGEST_QUARANTINE_MS, delayMs) : 0,
    };
  });
}

/**
 * How long suspects are treated as such after a process ended. If ends follow each other at intervals of minutes, this
 * time is longer; otherwise a delivery that ends each process after some minutes would count as clean each time.
 */
export function healthyAfterMs(sinceLastEndMs: number): number {
  return sinceLastEndMs > HEALTHY_MS && sinceLastEndMs < RELATED_MS
    ? 2 * sinceLastEndMs
    : HEALTHY_MS;
}

/** The record of a request that was started and whose end is unknown, because its process died. */
export const UNKNOWN_OUTCOME = {
  outcome: "outcome_unknown",
  detail: (at: number): string => JSON.stringify({ at }),
} as const;
