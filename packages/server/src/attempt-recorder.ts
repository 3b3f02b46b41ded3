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
  /** By webhook, of one hour. */
  let counts = new Map<string, AttemptCount>();
  let countedHour = 0;
  /** Of hours before that, by webhook and hour. */
  let older = new Map<string, AttemptCount>();
  let storing: Promise<void> = Promise.resolve();

  function note(
    webhookId: string,
    attempt: { outcome: string; status: number | null },
    ok: number,
    failed: number,
  ): void {
    const at = options.wallNow();
    const hour = Math.floor(at / HOUR_MS);
    if (hour !== countedHour) {
      for (const count of counts.values()) keepOlder(count);
      counts = new Map();
      countedHour = hour;
    }
    let count = counts.get(webhookId);
    if (count === undefined) {
      if (counts.size + older.size >= MOST) return;
      count = { webhookId, hour, ok: 0, failed: 0, lastAt: at, lastOutcome: "", lastStatus: null };
      counts.set(webhookId, count);
    }
    count.ok += ok;
    count.failed += failed;
    count.lastAt = at;
    count.lastOutcome = attempt.outcome;
    count.lastStatus = attempt.status;
  }

  async function store(): Promise<void> {
    const taken = [...older.values(), ...counts.values()];
    if (taken.length === 0) return;
    counts = new Map();
    older = new Map();
    try {
      await options.store.add(taken);
    } catch (error) {
      options.fault("store attempt counts", error);
      putBack(taken);
    }
  }

  function putBack(taken: readonly AttemptCount[]): void {
    for (const count of taken) {
      if (count.hour !== countedHour) keepOlder(count);
      else counts.set(count.webhookId, together(count, counts.get(count.webhookId)));
    }
  }

  function keepOlder(count: AttemptCount): void {
    const key = `${count.webhookId} ${count.hour}`;
    const known = older.get(key);
    older.set(key, known === undefined ? count : together(known, count));
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

/** The last attempt is that of the newer one. */
function together(count: AttemptCount, newer: AttemptCount | undefined): AttemptCount {
  if (newer === undefined) return count;
  return { ...newer, ok: count.ok + newer.ok, failed: count.failed + newer.failed };
}
