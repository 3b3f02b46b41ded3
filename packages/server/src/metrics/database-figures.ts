import { setTimeout as wait } from "node:timers/promises";

export interface Latest<T> {
  /** Null: none were read yet. */
  value: T | null;
  /** Age of the value; without a value, since the start. */
  ageMs: number;
  /** True if the last reading failed, or takes long. */
  failed: boolean;
}

const FRESH_MS = 5000;
/** Reading may take up this part of the time. */
const SHARE = 1 / 5;
/** A longer reading has mostly waited, and a database that was slow and is now gone must be noticed soon. */
const LONGEST_PAUSE_MS = 30_000;
const LATE_MS = 3000;
/** How long a caller waits for a reading. */
const WAIT_MS = 50;

/**
 * Figures that need a query. They are read on demand, at most every few seconds, one reading at a time. A slow or
 * hanging database delays no caller: callers get the last known figures with their age.
 *
 * resting --asked, and old enough--> reading --value--> resting
 *                                    reading --error--> resting, failed
 *                                    reading --for long--> reading, failed
 */
export function createDatabaseFigures<T>(read: () => Promise<T>, now: () => number) {
  let value: T | null = null;
  let valueAt = now();
  let failed = false;
  let nextAt = -Infinity;
  let reading: { startedAt: number; ended: Promise<void> } | null = null;

  function start(): void {
    const startedAt = now();
    const ended = read()
      .then(
        (figures) => {
          value = figures;
          valueAt = startedAt;
          failed = false;
        },
        () => void (failed = true),
      )
      .then(() => {
        reading = null;
        const pauseMs = Math.min((now() - startedAt) / SHARE, LONGEST_PAUSE_MS);
        nextAt = now() + Math.max(FRESH_MS, pauseMs);
      });
    reading = { startedAt, ended };
  }

  return {
    async latest(): Promise<Latest<T>> {
      if (reading === null && now() >= nextAt) start();
      // Callers do not wait for a reading that takes longer.
      if (reading !== null && now() - reading.startedAt < WAIT_MS) {
        await Promise.race([reading.ended, wait(WAIT_MS)]);
      }
      const late = reading !== null && now() - reading.startedAt >= LATE_MS;
      return { value, ageMs: now() - valueAt, failed: failed || late };
    },
  };
}
