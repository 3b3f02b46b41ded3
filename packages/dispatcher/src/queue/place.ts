import type { Ledger } from "./memory-ledger.ts";

/**
 * Everything that a webhook's queue may wait for besides its turn, in the order in which gates ask. A queue that waits
 * for one of these passed all gates before it, at that moment. The queue checks that its gates ask in this order.
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
 * The facts about a queue that a place uses. `proven`: no open request, and it has answered well before. `new`: no open
 * request, and no good answer yet. `more`: it has an open request. `slow`: its last request failed, or took long.
 */
export type Standing = "proven" | "new" | "slow" | "more";

/** The part of a webhook's queue that lines and places use; its class refers to them, and so stands elsewhere. */
export interface Waiter {
  readonly no: number;
  /** Of its webhook, when it last had a turn. */
  readonly host: string;
  readonly length: number;
  readonly standing: Standing;
  /** The line in which it stands: of a place, or of queues whose turn comes. Null: none. */
  line: Line | null;
  /** Neighbours in that line. */
  ahead: Waiter | null;
  behind: Waiter | null;
  /** Number of permits that it could not use since it last sent without waiting. */
  refused: number;
  addPermit(place: Place): void;
  takePermits(): readonly Place[];
  /** The ledger counts its bytes while it waits. Null: it does not wait. */
  waitIn(ledger: Ledger | null): void;
}

/**
 * Webhook queues in the order of arrival. A queue stands in one line at a time, and `queue.line` names it. The links
 * are in the queues, so that a queue leaves from the middle in constant time.
 */
export class Line {
  /** Null: queues in this line wait only for their turn. */
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
    if (this.place !== null) this.place.waiting += 1;
  }

  *[Symbol.iterator](): Generator<Waiter> {
    for (let queue = this.#first; queue !== null; queue = queue.behind) yield queue;
  }

  shift(): Waiter | undefined {
    const queue = this.#first ?? undefined;
    if (queue !== undefined) this.remove(queue);
    return queue;
  }

  /** Removes a queue that stands in this line. */
  remove(queue: Waiter): void {
    const { ahead, behind } = queue;
    if (ahead === null) this.#first = behind;
    else ahead.behind = behind;
    if (behind === null) this.#last = ahead;
    else behind.ahead = ahead;
    queue.line = queue.ahead = queue.behind = null;
    this.length -= 1;
    if (this.place !== null) this.place.waiting -= 1;
  }
}

/** A divided place has a line for each of these. */
const LINES: readonly Standing[] = ["proven", "new", "slow"];

/**
 * Webhook queues wait here for one thing. A place says how many may go now (`room`), and when time alone makes room
 * (`until`). Only the waiting room knows how waiting works.
 */
export abstract class Place {
  readonly reason: WaitReason;
  /** The thing that queues wait for, in words for people: a host, an address. */
  readonly name: string;
  readonly #divided: boolean;
  readonly #lines: readonly Line[];
  /** The line that had a permit last. Lines are asked in turn. */
  #turn = 0;
  /** Number of queues in its lines. */
  waiting = 0;
  /** Number of queues that were let out and have not tried yet. The same amount of room is reserved for them. */
  permits = 0;
  /** Number of unused permits since there was new room. */
  refusals = 0;
  /** The queue that keeps its permit while it waits for something that is asked for later. */
  keeper: Waiter | null = null;
  /** When the waiting room looks here again. Infinity: only when it is woken. */
  lookAt = Infinity;

  constructor(reason: WaitReason, name: string, divided = false) {
    this.reason = reason;
    this.name = name;
    this.#divided = divided;
    this.#lines = divided ? LINES.map(() => new Line(this)) : [new Line(this)];
  }

  /** How many more queues may go now. Permits are not subtracted. */
  abstract room(now: number, standing: Standing): number;

  /** When there will be room even if nothing happens, in monotonic milliseconds. Infinity: only an event makes room. */
  until(_now: number): number {
    return Infinity;
  }

  /** Number of open requests whose end will wake this place. */
  get open(): number {
    return 0;
  }

  /** The part of the queue's memory that queues waiting here may take. Null: no bound, because they are few. */
  get ledger(): "slots" | "gates" | null {
    return "gates";
  }

  /** Whether a queue may keep its permit here. If there is little room, no permit may be idle. */
  get mayKeep(): boolean {
    return true;
  }

  /** Called when no queue waits and no permit is out: the owner of the place may forget it. */
  emptied(): void {}

  get rank(): number {
    return RANK.get(this.reason) ?? 0;
  }

  /** @param standing Standing of the queue that asks; only divided places use it. */
  isFull(now: number, standing: Standing = "proven"): boolean {
    return this.room(now, this.#divided ? standing : "proven") <= this.permits;
  }

  /** Returns null if the queue has an open request; it tries again when that has ended. */
  lineFor(queue: Waiter): Line | null {
    if (!this.#divided) return this.#lines[0] ?? null;
    return this.#lines[LINES.indexOf(queue.standing)] ?? null;
  }

  waitingOf(hosts: ReadonlySet<string>): Waiter[] {
    return this.#lines.flatMap((line) => [...line].filter((queue) => hosts.has(queue.host)));
  }

  /** Takes the next queue out of its line. Undefined: there is no room for any. `all`: even without room. */
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

/** Has no room until something is known, and then room for all. */
export class Door extends Place {
  isOpen = false;

  override room(): number {
    return this.isOpen ? Infinity : 0;
  }
}

/** Returns the place of this key, which is made when it is first asked for. */
export function placeIn<Key, Kind extends Place>(
  places: { get(key: Key): Kind | undefined; set(key: Key, place: NoInfer<Kind>): unknown },
  key: Key,
  make: () => Kind,
): Kind {
  let place = places.get(key);
  if (place === undefined) {
    place = make();
    places.set(key, place);
  }
  return place;
}
