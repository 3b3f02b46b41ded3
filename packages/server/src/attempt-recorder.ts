import type { Observer, PingResult } from "@markethook/dispatcher";
import { type AttemptCount, type AttemptCountStore, hourOf } from "@markethook/store";

export interface AttemptRecorder {
  observer: Pick<Observer, "attempt">;
  /** Not counted, but the last one all the same. */
  notePing(webhookId: string, ping: Pick<PingResult, "outcome" | "status">): void;
  /** What is stored, and what waits here to be. */
  list: AttemptCountStore["list"];
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

const EVERY_MS = 2000;
/** Webhooks and hours that wait to be stored; more is not remembered while the database is away. */
const MOST = 100_000;
/** Stored each time. Of more the rest waits, and has counted several attempts by then. */
const AT_ONCE = 1000;
/** Beyond so many none is left to wait, or there would be no room for new ones. */
const MOST_LEFT = 90_000;

/**
 * Counts attempts per webhook and hour in memory and adds them to the stored counts every two seconds: the health
 * strip of a webhook is for people, and not worth a write per attempt. Where more than a thousand webhooks are busy,
 * those counted longest go first. A crash loses what waits: two seconds of it, of 100,000 busy webhooks three minutes.
 */
export function createAttemptRecorder(options: RecorderOptions): AttemptRecorder {
  /** By webhook; those counted longest first. */
  const counts = new Map<string, AttemptCount>();
  /** Of hours before those, by webhook and hour. */
  const older = new Map<string, AttemptCount>();
  let storing: Promise<void> = Promise.resolve();

  function note(
    webhookId: string,
    attempt: { outcome: string; status: number | null },
    ok: number,
    failed: number,
  ): void {
    const at = options.wallNow();
    const hour = hourOf(at);
    let count = counts.get(webhookId);
    if (count !== undefined && count.hour !== hour) {
      counts.delete(webhookId);
      keepOlder(count);
      count = undefined;
    }
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

  async function store(most: number): Promise<void> {
    const ofBefore = take(older, most);
    const ofNow = take(counts, most - ofBefore.length);
    const taken = ofBefore.length === 0 ? ofNow : addedUp([...ofBefore, ...ofNow]);
    if (taken.length === 0) return;
    try {
      await options.store.add(taken);
    } catch (error) {
      options.fault("store attempt counts", error);
      for (const count of taken) putBack(count);
    }
  }

  function putBack(count: AttemptCount): void {
    const newer = counts.get(count.webhookId);
    if (newer === undefined || newer.hour === count.hour)
      counts.set(count.webhookId, together(count, newer));
    else keepOlder(count);
  }

  function keepOlder(count: AttemptCount): void {
    older.set(keyOf(count), together(count, older.get(keyOf(count))));
  }

  function waitingOf(webhookIds: readonly string[]): AttemptCount[] {
    const wanted = new Set(webhookIds);
    return [
      ...[...older.values()].filter(({ webhookId }) => wanted.has(webhookId)),
      ...webhookIds.flatMap((id) => counts.get(id) ?? []),
    ];
  }

  const timer = setInterval(() => {
    const waiting = counts.size + older.size;
    storing = storing.then(() => store(Math.max(AT_ONCE, waiting - MOST_LEFT)));
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
    async list(webhookIds) {
      const stored = await options.store.list(webhookIds);
      return addedUp([...stored, ...waitingOf(webhookIds)]);
    },
    async stop() {
      clearInterval(timer);
      await storing;
      await store(Number.POSITIVE_INFINITY);
    },
  };
}

/** The first of a map, which holds them no longer. */
function take(from: Map<string, AttemptCount>, most: number): AttemptCount[] {
  const taken: AttemptCount[] = [];
  for (const [key, count] of from) {
    if (taken.length >= most) break;
    from.delete(key);
    taken.push(count);
  }
  return taken;
}

function keyOf({ webhookId, hour }: AttemptCount): string {
  return `${webhookId} ${hour}`;
}

/** One for each webhook and hour. */
function addedUp(counts: readonly AttemptCount[]): AttemptCount[] {
  return [...Map.groupBy(counts, keyOf).values()].map((some) =>
    some.reduce((one, other) => together(one, other)),
  );
}

/** Of one webhook and hour. */
function together(one: AttemptCount, other: AttemptCount | undefined): AttemptCount {
  if (other === undefined) return one;
  const last = other.lastAt >= one.lastAt ? other : one;
  return { ...last, ok: one.ok + other.ok, failed: one.failed + other.failed };
}
