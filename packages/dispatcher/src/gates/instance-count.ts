import type { Observer } from "../wiring/observer.ts";

/** Number of living instances, which divide limits of all instances together. */
export interface InstanceCount {
  /** This instance included. Infinity: not known. Then an instance takes almost nothing. */
  current(): number;
  /** The last one that was known; 1 before that. */
  latest(): number;
  /** The part of this instance in a limit per second. */
  partOf(perSecond: number): number;
  start(): void;
  stop(): void;
}

/** Of a process that is the only one. */
export const ONE_INSTANCE: InstanceCount = {
  current: () => 1,
  latest: () => 1,
  partOf: (perSecond) => perSecond,
  start: () => {},
  stop: () => {},
};

/** A count holds for this many of its intervals: the others drop an instance that is silent for longer. */
const COUNT_HOLDS_FOR = 3;
/** Requests per second. */
const ALMOST_NOTHING = 1;

/**
 * Counts the instances regularly. One that is new, or could not count for some time, does not know their number: the
 * others may have divided the limits without it. When it has counted twice, they have counted it too.
 */
export function createInstanceCount(options: {
  count(): Promise<number>;
  everyMs: number;
  now: () => number;
  observer: Pick<Observer, "fault">;
}): InstanceCount {
  const { everyMs, now, observer } = options;
  let instances = Infinity;
  let latest = 1;
  let foundBefore = Infinity;
  let countedAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  const holds = (): boolean => now() - countedAt <= everyMs * COUNT_HOLDS_FOR;
  const current = (): number => (holds() ? instances : Infinity);

  function noteCount(found: number, askedAt: number): void {
    const isSecond = holds();
    instances = found <= 1 ? 1 : Math.max(found, isSecond ? foundBefore : Infinity);
    if (instances !== Infinity) latest = instances;
    foundBefore = found;
    countedAt = askedAt;
  }

  return {
    current,
    latest: () => latest,
    partOf(perSecond) {
      const known = current();
      return known === Infinity ? ALMOST_NOTHING : perSecond / known;
    },
    start() {
      timer = setInterval(() => {
        const askedAt = now();
        options.count().then(
          (found) => noteCount(found, askedAt),
          (error: unknown) => observer.fault("count instances", error),
        );
      }, everyMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}
