import type { Ledger } from "./ledger.ts";

/**
 * All that a webhook's queue may wait for besides its turn, in the order in which it is asked for. A queue that waits
 * for one thing has all that stands before it in this list, at that moment.
 */
export const WAIT_REASONS = [
  "webhook-not-read",
  "cool-down",
  "host",
  "address",
  "slow-share",
  "new-share",
  "poison-suspects",
  "dry-run",
  "chat-budget",
  "chat-platform",
  "chat-address",
  "slow-start",
  "host-lookup",
  "unproven-host",
  "unproven-address",
] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];

const RANK: ReadonlyMap<WaitReason, number> = new Map(WAIT_REASONS.map((one, at) => [one, at]));

/**
 * What a place knows of a queue that comes. `proven`: nothing open, and it answered well before. `new`: nothing open,
 * and no good answer yet. `more`: it has a request open. `slow`: its last request failed, or took long.
 */
export type Standing = "proven" | "new" | "slow" | "more";

/** A webhook's queue, as lines and places see it. */
export interface Waiter {
  /** Of the webhook. */
  readonly no: number;
  /** Deliveries. */
  readonly length: number;
  readonly standing: Standing;
  /** Where it stands: in a line of a place, or of those whose turn comes. Null: in none. */
  line: Line | null;
  /** Next to it in that line. */
  ahead: Waiter | null;
  behind: Waiter | null;
  /** Permits that it could not use, since it last went without having to wait. */
  refused: number;
  addPermit(place: Place): void;
  takePermits(): readonly Place[];
  /** Its bytes are counted there while it waits. Null: it does not wait. */
  waitIn(ledger: Ledger | null): void;
}

/**
 * Webhook queues in the order in which they came. A queue stands in one line at a time, and `queue.line` says in which.
 * The links are in the queues, so that one leaves from the middle in constant time.
 */
export class Line {
  /** Null: a line of queues that wait for nothing but their turn. */
  readonly place: Place | null;
  #first: Waiter | null = null;
  #last: Waiter | null = null;
  length = 0;

  constructor(place: Place | null = null) {
    this.place = place;
  }

  push(queue: Waiter): void {
    queue.line = this;
    queue.ahead = this.#last;
    if (this.#last === null) this.#first = queue;
    else this.#last.behind = queue;
    this.#last = queue;
    this.length += 1;
  }

  shift(): Waiter | undefined {
    const queue = this.#first ?? undefined;
    if (queue !== undefined) this.remove(queue);
    return queue;
  }

  /** The queue stands in this line. */
  remove(queue: Waiter): void {
    const { ahead, behind } = queue;
    if (ahead === null) this.#first = behind;
    else ahead.behind = behind;
    if (behind === null) this.#last = ahead;
    else behind.ahead = ahead;
    queue.line = queue.ahead = queue.behind = null;
    this.length -= 1;
  }
}

/** Where places are divided, each of these has a line of its own. */
const LINES: readonly Standing[] = ["proven", "new", "slow"];

/**
 * Where webhook queues wait for one thing. A place says how many may go now (`room`), and when time alone makes room
 * (`until`). How waiting works is known by the waiting room only.
 */
export abstract class Place {
  readonly reason: WaitReason;
  /** What is waited for, in words for people: a host, an address. */
  readonly name: string;
  readonly #divided: boolean;
  readonly #lines: readonly Line[];
  /** Which line had a permit last: they are asked in turns. */
  #turn = 0;
  /** Queues that were let out and have not tried yet: as much room is reserved for them. */
  permits = 0;
  /** Permits that led to nothing since there was new room. */
  refusals = 0;
  /** Keeps its permit while it waits for something that is asked for later. */
  keeper: Waiter | null = null;
  /** When the waiting room looks here again; Infinity: when it is told. */
  lookAt = Infinity;

  constructor(reason: WaitReason, name: string, divided = false) {
    this.reason = reason;
    this.name = name;
    this.#divided = divided;
    this.#lines = divided ? LINES.map(() => new Line(this)) : [new Line(this)];
  }

  /** How many more may go now. Permits are not subtracted. */
  abstract room(now: number, standing: Standing): number;

  /** When there will be room although nothing happens, in monotonic milliseconds. Infinity: only an event makes room. */
  abstract until(now: number): number;

  /** Requests under way whose end will wake this place. */
  get open(): number {
    return 0;
  }

  /** Of the queue's memory: which part queues that wait here may take. Null: they are few. */
  get ledger(): "slots" | "gates" | null {
    return "gates";
  }

  /** Whether a queue may keep its permit here. Where there is little room, none may idle. */
  get mayKeep(): boolean {
    return true;
  }

  /** Nobody waits, and no permit is out: its owner may forget it. */
  emptied(): void {}

  get rank(): number {
    return RANK.get(this.reason) ?? 0;
  }

  get waiting(): number {
    let waiting = 0;
    for (const line of this.#lines) waiting += line.length;
    return waiting;
  }

  /** @param standing Of the queue that asks; only divided places ask for it. */
  isFull(now: number, standing: Standing = "proven"): boolean {
    return this.room(now, this.#divided ? standing : "proven") <= this.permits;
  }

  /** Null: it has a request open, and tries again when that has ended. */
  lineFor(queue: Waiter): Line | null {
    if (!this.#divided) return this.#lines[0] ?? null;
    return this.#lines[LINES.indexOf(queue.standing)] ?? null;
  }

  /** Takes the next queue out of its line. Undefined: there is none for which there is room. `all`: room or not. */
  next(now: number, all: boolean): Waiter | undefined {
    for (let asked = 0; asked < this.#lines.length; asked += 1) {
      this.#turn = (this.#turn + 1) % this.#lines.length;
      const line = this.#lines[this.#turn];
      if (line === undefined || line.length === 0) continue;
      if (all || this.room(now, LINES[this.#turn] ?? "proven") > this.permits) return line.shift();
    }
    return undefined;
  }
}
