/**
 * Figures that the database must be asked for. They are read for anyone who wants them, at most every few seconds, one
 * reading at a time; a slow or hanging database delays nobody, who gets the last known ones and is told how old they are.
 *
 * resting --asked, and old enough--> reading --value--> resting
 *                                    reading --error--> resting, failed
 *                                    reading --for long--> reading, failed
 */
export interface DatabaseFigures<T> {
  latest(): Promise<Latest<T>>;
}

export interface Latest<T> {
  /** Null: there never were any. */
  value: T | null;
  /** Of the value; without one, since there is nothing. */
  ageMs: number;
  /** The last reading failed, or goes on for long. */
  failed: boolean;
}

const FRESH_MS = 5000;
/** Reading may take this part of the time. */
const SHARE = 1 / 5;
const LATE_MS = 3000;
/** How long somebody who asks waits for a reading. */
const WAIT_MS = 50;

export function createDatabaseFigures<T>(
  read: () => Promise<T>,
  /** Monotonic milliseconds. */
  now: () => number,
): DatabaseFigures<T> {
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
        nextAt = now() + Math.max(FRESH_MS, (now() - startedAt) / SHARE);
      });
    reading = { startedAt, ended };
  }

  return {
    async latest() {
      if (reading === null && now() >= nextAt) start();
      // One that takes longer is not waited for by each who asks.
      if (reading !== null && now() - reading.startedAt < WAIT_MS) await orWait(reading.ended);
      const late = reading !== null && now() - reading.startedAt >= LATE_MS;
      return { value, ageMs: now() - valueAt, failed: failed || late };
    },
  };
}

async function orWait(ended: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<void>((resolve) => (timer = setTimeout(resolve, WAIT_MS)));
  await Promise.race([ended, waited]);
  clearTimeout(timer);
}
