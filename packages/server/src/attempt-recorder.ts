import type { Observer, PingResult } from "@markethook/dispatcher";
import type { AttemptCount, AttemptCountStore } from "@markethook/store";

export interface AttemptRecorder {
  observer: Pick<Observer, "attempt">;
  /** Not counted, but the last one all the same. */
  notePing(webhookId: string, ping: Pick<PingResult, "outcome" | "status">): void;
  /** Stores what is left. */
  stop(): Promise<void>;
}

export interface RecorderOptions {
  store: AttemptCountStore;
  /** Unix milliseconds. */
  wallNow: () => number;
  fault: (where: string, error: unknown) => void;
  everyMs?: number;
}

const HOUR_MS = 3_600_000;
const EVERY_MS = 2000;
/** Webhooks and hours that wait to be stored; more is not remembered while the database is away. */
const MOST = 100_000;

/**
 * Counts attempts per webhook and hour in memory and adds them to the stored counts every two seconds: the health
 * strip of a webhook is for people, and not worth a write per attempt. A crash loses two seconds of it.
 */
export function createAttemptRecorder(options: RecorderOptions): AttemptRecorder {
  let counts = new Map<string, AttemptCount>();
  let storing: Promise<void> = Promise.resolve();

  function note(
    webhookId: string,
    attempt: { outcome: string; status: number | null },
    ok: number,
    failed: number,
  ): void {
    const at = options.wallNow();
    const hour = Math.floor(at / HOUR_MS);
    const key = `${webhookId} ${hour}`;
    let count = counts.get(key);
    if (count === undefined) {
      if (counts.size >= MOST) return;
      count = { webhookId, hour, ok: 0, failed: 0, lastAt: at, lastOutcome: "", lastStatus: null };
      counts.set(key, count);
    }
    count.ok += ok;
    count.failed += failed;
    count.lastAt = at;
    count.lastOutcome = attempt.outcome;
    count.lastStatus = attempt.status;
  }

  async function store(): Promise<void> {
    if (counts.size === 0) return;
    const taken = counts;
    counts = new Map();
    try {
      await options.store.add([...taken.values()]);
    } catch (error) {
      options.fault("store attempt counts", error);
      putBack(taken);
    }
  }

  function putBack(taken: ReadonlyMap<string, AttemptCount>): void {
    for (const [key, count] of taken) {
      const newer = counts.get(key);
      if (newer === undefined) {
        counts.set(key, count);
      } else {
        newer.ok += count.ok;
        newer.failed += count.failed;
      }
    }
  }

  const timer = setInterval(() => {
    storing = storing.then(store);
  }, options.everyMs ?? EVERY_MS);
  timer.unref();

  return {
    observer: {
      attempt(attempt) {
        // Not sent, for a reason of ours.
        if (attempt.next === "release") return;
        const ok = attempt.next === "delivered";
        note(attempt.webhookId, attempt, ok ? 1 : 0, ok ? 0 : 1);
      },
    },
    notePing: (webhookId, ping) => note(webhookId, ping, 0, 0),
    async stop() {
      clearInterval(timer);
      await storing;
      await store();
    },
  };
}
