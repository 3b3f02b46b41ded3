import type { Observer } from "@markethook/dispatcher";
import { faultKind, faultSentence } from "./fault-words.ts";

/** A fault that repeats: work is stuck, and repeating it does not help. */
export interface RepeatingFault {
  where: string;
  /** The words of the last one. */
  error: string;
  /** Milliseconds. */
  forMs: number;
  times: number;
}

const ALARM_AFTER_MS = 60_000;
const ALARM_EVERY_MS = 60_000;
/** Two faults within a minute can be two short ones, between which the work succeeded. */
const ALARM_FROM_TIMES = 3;
/**
 * A fault that came twice or more is over after this many times the longest pause between two of it: its work has been done
 * since. The longest pause between tries is a minute.
 */
const OVER_AFTER_PAUSES = 3;
const SOONEST_OVER_MS = 15_000;
const LATEST_OVER_MS = 90_000;
const MOST = 200;

interface Seen {
  where: string;
  error: string;
  since: number;
  last: number;
  /** The longest between two of them. */
  pauseMs: number;
  times: number;
  told: number;
}

function isOver({ last, pauseMs, times }: Seen, at: number): boolean {
  const pausesMs = times === 1 ? LATEST_OVER_MS : pauseMs * OVER_AFTER_PAUSES;
  return at - last > Math.min(LATEST_OVER_MS, Math.max(SOONEST_OVER_MS, pausesMs));
}

/**
 * Watches faults of work that is repeated until it succeeds (settlements, claims, heartbeats, accepts, ...). A fault
 * that has been the same for a minute is reported, and again each minute as long as it repeats.
 */
export function createRepeatingFaults(options: {
  now: () => number;
  alarm(fault: RepeatingFault): void;
}) {
  const { now } = options;
  const seen = new Map<string, Seen>();

  function forgetOver(at: number): void {
    for (const [key, one] of seen) if (isOver(one, at)) seen.delete(key);
  }

  return {
    observer: {
      fault(where, error) {
        const at = now();
        const message = faultSentence(error);
        const key = `${where} ${faultKind(message)}`;
        const before = seen.get(key);
        if (before === undefined || isOver(before, at)) {
          forgetOver(at);
          if (seen.size >= MOST) return;
          const first = { where, error: message, since: at, last: at, pauseMs: 0, times: 1 };
          seen.set(key, { ...first, told: -Infinity });
          return;
        }
        before.times += 1;
        before.pauseMs = Math.max(before.pauseMs, at - before.last);
        before.last = at;
        before.error = message;
        const forMs = at - before.since;
        if (!isRepeating(forMs, before.times) || at - before.told < ALARM_EVERY_MS) return;
        before.told = at;
        options.alarm({ where, error: message, forMs, times: before.times });
      },
    } satisfies Partial<Observer>,
    /** Faults that have repeated for a minute and still do. */
    list(): RepeatingFault[] {
      forgetOver(now());
      return [...seen.values()]
        .map(({ where, error, since, last, times }) => ({
          where,
          error,
          forMs: last - since,
          times,
        }))
        .filter(({ forMs, times }) => isRepeating(forMs, times));
    },
  };
}

function isRepeating(forMs: number, times: number): boolean {
  return forMs >= ALARM_AFTER_MS && times >= ALARM_FROM_TIMES;
}
