import { type AttemptCount, NO_REPLIES } from "@markethook/store";

/** Positions and number of a row's values: a row is one line of the processor's cache. */
const NO = 0;
const HOUR = 1;
const OK = 2;
const FAILED = 3;
const LAST_AT = 4;
/** Outcome and status in one number. */
const LAST_ANSWER = 5;
const LAST_OK_AT = 6;
const OK_EVENTS = 7;
const WIDTH = 8;

/** Further rows: replies by time, and behind them the deliveries given up. */
const REPLIES = NO_REPLIES.length;
const GIVEN_UP = REPLIES;
const REPLY_WIDTH = 16;
/** Attempts of a row. There are no more replies than these, so two bytes are enough for each number of them. */
const MOST_ATTEMPTS = 2 ** 16 - 1;

/** Above every status; what is left of it is 0 where there was none. */
const STATUSES = 1024;

/**
 * Counts of one hour per webhook, in the order of arrival, in rows of numbers. 100,000 objects with a text each would
 * keep the garbage collector busy, and each attempt would touch four places in memory. A row that is free again is the
 * next that is used, because memory is taken only for rows that were ever used.
 */
export class WaitingCounts {
  readonly #most: number;
  readonly #rows: Float64Array;
  readonly #replies: Uint16Array;
  /** By webhook, in the order of arrival. */
  readonly #places = new Map<number, number>();
  /** Places that are free again; behind `#used` all are. */
  readonly #free: number[] = [];
  #used = 0;
  readonly #outcomes: string[] = [];

  /** @param most Webhooks. */
  constructor(most: number) {
    this.#most = most;
    this.#rows = new Float64Array(most * WIDTH);
    this.#replies = new Uint16Array(most * REPLY_WIDTH);
  }

  get size(): number {
    return this.#places.size;
  }

  has(webhookNo: number): boolean {
    return this.#places.has(webhookNo);
  }

  get(webhookNo: number): AttemptCount | null {
    const place = this.#places.get(webhookNo);
    return place === undefined ? null : this.#at(place);
  }

  /** Adds to the webhook's count. Returns the old count if it is of another hour, or full. */
  add(count: AttemptCount): AttemptCount | null {
    const place = this.#places.get(count.webhookNo);
    if (place === undefined) {
      if (this.#places.size >= this.#most) throw new RangeError("no room for one more webhook");
      const free = this.#free.pop() ?? this.#used++;
      this.#places.set(count.webhookNo, free);
      this.#write(free, count);
      return null;
    }
    const attempts =
      this.#number(place, OK) + this.#number(place, FAILED) + count.ok + count.failed;
    if (this.#number(place, HOUR) !== count.hour || attempts > MOST_ATTEMPTS) {
      const before = this.#at(place);
      this.#write(place, count);
      return before;
    }
    this.#put(place, OK, this.#number(place, OK) + count.ok);
    this.#put(place, FAILED, this.#number(place, FAILED) + count.failed);
    this.#addReplies(place, count);
    if (count.okEvents > 0) {
      this.#put(place, LAST_OK_AT, Math.max(this.#number(place, LAST_OK_AT), count.lastOkAt));
      this.#put(place, OK_EVENTS, this.#number(place, OK_EVENTS) | count.okEvents);
    }
    if (count.lastAt >= this.#number(place, LAST_AT)) this.#writeLast(place, count);
    return null;
  }

  /** Removes and returns the ones that came first. */
  take(most: number): AttemptCount[] {
    const taken: AttemptCount[] = [];
    for (const [webhookNo, place] of this.#places) {
      if (taken.length >= most) break;
      taken.push(this.#at(place));
      this.#places.delete(webhookNo);
      this.#free.push(place);
    }
    return taken;
  }

  #number(place: number, column: number): number {
    return this.#rows[place * WIDTH + column] ?? 0;
  }

  #put(place: number, column: number, value: number): void {
    this.#rows[place * WIDTH + column] = value;
  }

  #at(place: number): AttemptCount {
    const answer = this.#number(place, LAST_ANSWER);
    const status = answer % STATUSES;
    return {
      webhookNo: this.#number(place, NO),
      hour: this.#number(place, HOUR),
      ok: this.#number(place, OK),
      failed: this.#number(place, FAILED),
      givenUp: this.#replies[place * REPLY_WIDTH + GIVEN_UP] ?? 0,
      replies: Array.from(
        this.#replies.subarray(place * REPLY_WIDTH, place * REPLY_WIDTH + REPLIES),
      ),
      lastAt: this.#number(place, LAST_AT),
      lastOutcome: this.#outcomes[Math.floor(answer / STATUSES)] ?? "",
      lastStatus: status === 0 ? null : status,
      lastOkAt: this.#number(place, LAST_OK_AT),
      okEvents: this.#number(place, OK_EVENTS),
    };
  }

  #write(place: number, count: AttemptCount): void {
    this.#put(place, NO, count.webhookNo);
    this.#put(place, HOUR, count.hour);
    this.#put(place, OK, count.ok);
    this.#put(place, FAILED, count.failed);
    this.#put(place, LAST_OK_AT, count.lastOkAt);
    this.#put(place, OK_EVENTS, count.okEvents);
    this.#replies.fill(0, place * REPLY_WIDTH, (place + 1) * REPLY_WIDTH);
    this.#addReplies(place, count);
    this.#writeLast(place, count);
  }

  #addReplies(place: number, { replies, givenUp }: AttemptCount): void {
    const first = place * REPLY_WIDTH;
    for (let index = 0; index < REPLIES; index += 1) {
      this.#replies[first + index] = (this.#replies[first + index] ?? 0) + (replies[index] ?? 0);
    }
    this.#replies[first + GIVEN_UP] = (this.#replies[first + GIVEN_UP] ?? 0) + givenUp;
  }

  #writeLast(place: number, { lastAt, lastOutcome, lastStatus }: AttemptCount): void {
    this.#put(place, LAST_AT, lastAt);
    this.#put(place, LAST_ANSWER, this.#outcomeNo(lastOutcome) * STATUSES + (lastStatus ?? 0));
  }

  /** There are some twenty outcomes. */
  #outcomeNo(outcome: string): number {
    const known = this.#outcomes.indexOf(outcome);
    return known === -1 ? this.#outcomes.push(outcome) - 1 : known;
  }
}
