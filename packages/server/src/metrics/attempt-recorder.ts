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

export interface RecorderOptions {
  store: AttemptCountStore;
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
export class AttemptRecorder {
  readonly observer: Pick<Observer, "attempt"> = { attempt: (attempt) => this.#attempt(attempt) };
  /** The stored counts, without those that wait here. */
  readonly sums: AttemptCountStore["sums"];
  readonly #options: RecorderOptions;
  /** The oldest counts first. */
  readonly #waiting = new WaitingCounts(MOST);
  /** Counts of earlier hours, full ones, and those that could not be stored, by webhook and hour. */
  readonly #older = new Map<string, AttemptCount>();
  readonly #timer: NodeJS.Timeout;
  #storing: Promise<void> = Promise.resolve();

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.sums = options.store.sums;
    this.#timer = setInterval(() => {
      const tooMany = this.#waiting.size + this.#older.size - MOST_LEFT;
      this.#storing = this.#storing.then(() => this.#store(Math.max(AT_ONCE, tooMany)));
    }, options.everyMs ?? EVERY_MS);
    this.#timer.unref();
  }

  /** Not counted, but stored as the last one. */
  notePing(webhookNo: number, ping: Pick<PingResult, "outcome" | "status">): void {
    this.#note(webhookNo, ping, PING);
  }

  /** The stored counts, and those that wait here. */
  async list(webhookNos: readonly number[]): Promise<AttemptCount[]> {
    const stored = await this.#options.store.list(webhookNos);
    return addedUp([...stored, ...this.#waitingOf(webhookNos)]);
  }

  /** Stores the remaining counts. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#storing;
    await this.#store(Number.POSITIVE_INFINITY);
  }

  #attempt(attempt: Parameters<Observer["attempt"]>[0]): void {
    // It ended because of us.
    if (attempt.next === "release" || attempt.next === "lost") return;
    const ok = attempt.next === "delivered";
    this.#note(attempt.webhookNo, attempt, {
      ok: ok ? 1 : 0,
      failed: ok ? 0 : 1,
      givenUp: attempt.next === "dead" ? 1 : 0,
      replies: attempt.status === null ? NO_REPLIES : oneReply(attempt.ms),
      okEvents: ok ? eventBit(attempt.eventName) : 0,
    });
  }

  #hasRoom(): boolean {
    return this.#waiting.size + this.#older.size < MOST;
  }

  #note(
    webhookNo: number,
    attempt: { outcome: string; status: number | null },
    counted: Pick<AttemptCount, "ok" | "failed" | "givenUp" | "replies" | "okEvents">,
  ): void {
    if (!this.#hasRoom() && !this.#waiting.has(webhookNo)) return;
    const lastAt = this.#options.wallNow();
    const before = this.#waiting.add({
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
    if (before !== null) this.#keepOlder(before);
  }

  async #store(most: number): Promise<void> {
    const ofBefore = take(this.#older, most);
    const ofNow = this.#waiting.take(most - ofBefore.length);
    const taken = ofBefore.length === 0 ? ofNow : addedUp([...ofBefore, ...ofNow]);
    for (let at = 0; at < taken.length; at += AT_ONCE) {
      try {
        await this.#options.store.add(taken.slice(at, at + AT_ONCE));
      } catch (error) {
        this.#options.fault("store attempt counts", error);
        for (const count of taken.slice(at)) this.#keepOlder(count);
        return;
      }
    }
  }

  #keepOlder(count: AttemptCount): void {
    const key = keyOf(count);
    if (this.#hasRoom() || this.#older.has(key)) {
      this.#older.set(key, together(count, this.#older.get(key)));
    }
  }

  #waitingOf(webhookNos: readonly number[]): AttemptCount[] {
    const wanted = new Set(webhookNos);
    return [
      ...[...this.#older.values()].filter(({ webhookNo }) => wanted.has(webhookNo)),
      ...webhookNos.flatMap((no) => this.#waiting.get(no) ?? []),
    ];
  }
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
