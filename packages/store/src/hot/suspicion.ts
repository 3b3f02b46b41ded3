/**
 * Which delivery ends the process that sends it? Nobody knows, so whatever a process held when it ended without stopping
 * is a suspect, of level 1. Suspects are marked in the database before they are sent; what was marked when a process
 * ended has one level more. Of level n at most 512 >> (n - 1) are on their way at one time: a window that halves with
 * each end. From level 10 on a suspect goes while no other one does. If the process ends once more, it was this
 * delivery: it is quarantined, which means sent alone, an hour later, then ever later.
 *
 * An answer of whatever kind takes all suspicion away. So does a healthy minute, but for the quarantined.
 */
export const SUSPECT_ALONE_FROM = 10;

const WIDEST = 512;
const HEALTHY_MS = 60_000;
/** Ends further apart than this have nothing to do with one another. */
const RELATED_MS = 30 * 60_000;
const FIRST_QUARANTINE_MS = 3_600_000;
const LONGEST_QUARANTINE_MS = 24 * 3_600_000;

/** How many suspects of this level may be on their way at one time. */
export function suspectWindow(level: number): number {
  return Math.max(1, WIDEST >> Math.min(level - 1, 31));
}

export interface MarkedLease {
  seq: number;
  instanceNo: number;
  /** Its level so far. */
  suspicion: number;
}

export interface MarkedVerdict extends MarkedLease {
  quarantined: boolean;
  /** Until it is due again. */
  delayMs: number;
}

/** Of leases whose process ended after it had marked them. `suspicion` of the answer is the new level. */
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
 * How long after a process ended its suspects are treated as such. Where ends follow one another minutes apart, longer
 * than that, or what ends each process after some minutes would be clean again each time.
 */
export function healthyAfterMs(sinceLastEndMs: number): number {
  return sinceLastEndMs > HEALTHY_MS && sinceLastEndMs < RELATED_MS
    ? 2 * sinceLastEndMs
    : HEALTHY_MS;
}
