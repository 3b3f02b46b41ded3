import type { Observer, PingResult } from "@markethook/dispatcher";
import {
  type AttemptCount,
  type AttemptCountStore,
  eventBit,
  hourOf,
  NO_REPLIES,
  REPLY_LIMITS_MS,
} from "@markethook/store";
import { WaitingCounts } from "./waiting-counts.ts";

export interface AttemptRecorder {
  observer: Pick<Observer, "attempt">;
  /** Not counted, but stored as the last one. */
  notePing(webhookNo: number, ping: Pick<PingResult, "outcome" | "status">): void;
  /** The stored counts, and those that wait here. */
  list: AttemptCountStore["list"];
  /** The stored counts, without those that wait here. */
  sums: AttemptCountStore["sums"];
  /** Stores the remaining counts. */
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
/** How many webhooks and hours wait to be stored; more are dropped while the database is away. */
const MOST = 150_000;
/** How many are stored at a time. The rest waits, and collects several attempts. */
const AT_ONCE = 1000;
/** Above this number none is left to wait, or there would be no room for new ones. */
const MOST_LEFT = 120_000;

/**
 * Counts attempts per webhook and hour in memory and adds them to the stored counts every two seconds. The sparkline
 * and the chart of a webhook are not worth a write per attempt. If more than a thousand webhooks are busy, the oldest
 * counts go first. A crash loses the waiting counts: two seconds of them; with 100,000 busy webhooks, three minutes.
 */
export function createAttemptRecorder(options: RecorderOptions): AttemptRecorder {
  /** The oldest counts first. */
  const waiting = new WaitingCounts(MOST);
  /** Counts of earlier hours, by webhook and hour. */
  const older = new Map<string, AttemptCount>();
  let storing: Promise<void> = Promise.resolve();

  function hasRoom(): boolean {
    return waiting.size + older.size < MOST;
  }

  function hasRoomFor(webhookNo: number): boolean {
    return hasRoom() || waiting.has(webhookNo);
  }

  function note(
    webhookNo: number,
    attempt: { outcome: string; status: number | null },
    counted: Pick<AttemptCount, "ok" | "failed" | "givenUp" | "replies" | "okEvents">,
  ): void {
    if (!hasRoomFor(webhookNo)) return;
    const lastAt = options.wallNow();
    const before = waiting.add({
      webhookNo,
      hour: hourOf(lastAt),
      ok: counted.ok,
      failed: counted.failed,
      givenUp: counted.givenUp,
      replies: counted.replies,
      lastAt,
      lastOutcome: attempt.outcome,
      lastStatus: attempt.status,
      lastOkAt: counted.ok > 0 ? lastAt : 0,
      okEvents: counted.okEvents,
    });
    if (before !== null) keepOlder(before);
  }

  async function store(most: number): Promise<void> {
    const ofBefore = take(older, most);
    const ofNow = waiting.take(most - ofBefore.length);
    const taken = ofBefore.length === 0 ? ofNow : addedUp([...ofBefore, ...ofNow]);
    for (let at = 0; at < taken.length; at += AT_ONCE) {
      try {
        await options.store.add(taken.slice(at, at + AT_ONCE));
      } catch (error) {
        options.fault("store attempt counts", error);
        for (const count of taken.slice(at)) putBack(count);
        return;
      }
    }
  }

  function putBack(count: AttemptCount): void {
    const hour = waiting.get(count.webhookNo)?.hour ?? count.hour;
    if (hour !== count.hour) keepOlder(count);
    else if (hasRoomFor(count.webhookNo)) waiting.add(count);
  }

  function keepOlder(count: AttemptCount): void {
    const key = keyOf(count);
    if (hasRoom() || older.has(key)) older.set(key, together(count, older.get(key)));
  }

  function waitingOf(webhookNos: readonly number[]): AttemptCount[] {
    const wanted = new Set(webhookNos);
    return [
      ...[...older.values()].filter(({ webhookNo }) => wanted.has(webhookNo)),
      ...webhookNos.flatMap((no) => waiting.get(no) ?? []),
    ];
  }

  const timer = setInterval(() => {
    const tooMany = waiting.size + older.size - MOST_LEFT;
    storing = storing.then(() => store(Math.max(AT_ONCE, tooMany)));
  }, options.everyMs ?? EVERY_MS);
  timer.unref();

  return {
    observer: {
      attempt(attempt) {
        // It ended because of us.
        if (attempt.next === "release" || attempt.next === "lost") return;
        const ok = attempt.next === "delivered";
        note(attempt.webhookNo, attempt, {
          ok: ok ? 1 : 0,
          failed: ok ? 0 : 1,
          givenUp: attempt.next === "dead" ? 1 : 0,
          replies: attempt.status === null ? NO_REPLIES : oneReply(attempt.ms),
          okEvents: ok ? eventBit(attempt.eventName) : 0,
        });
      },
    },
    notePing: (webhookNo, ping) => note(webhookNo, ping, PING),
    sums: options.store.sums,
    async list(webhookNos) {
      const stored = await options.store.list(webhookNos);
      return addedUp([...stored, ...waitingOf(webhookNos)]);
    },
    async stop() {
      clearInterval(timer);
      await storing;
      await store(Number.POSITIVE_INFINITY);
    },
  };
}

const PING = { ok: 0, failed: 0, givenUp: 0, replies: NO_REPLIES, okEvents: 0 };

/** A single reply at each index of the limits. Made once, because there is one for each attempt. */
const ONE_REPLY = NO_REPLIES.map((_, place) => NO_REPLIES.map((_, at) => (at === place ? 1 : 0)));

function oneReply(ms: number): readonly number[] {
  const place = REPLY_LIMITS_MS.findIndex((limit) => ms <= limit);
  return ONE_REPLY[place === -1 ? REPLY_LIMITS_MS.length : place] ?? NO_REPLIES;
}

/** Removes and returns the first entries of a map. */
function take(from: Map<string, AttemptCount>, most: number): AttemptCount[] {
  const taken: AttemptCount[] = [];
  for (const [key, count] of from) {
    if (taken.length >= most) break;
    from.delete(key);
    taken.push(count);
  }
  return taken;
}

function keyOf({ webhookNo, hour }: AttemptCount): string {
  return `${webhookNo} ${hour}`;
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
  return {
    ...last,
    ok: one.ok + other.ok,
    failed: one.failed + other.failed,
    givenUp: one.givenUp + other.givenUp,
    replies: one.replies.map((count, index) => count + (other.replies[index] ?? 0)),
    lastOkAt: Math.max(one.lastOkAt, other.lastOkAt),
    okEvents: one.okEvents | other.okEvents,
  };
}
