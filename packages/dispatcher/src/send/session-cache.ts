import { LRUCache } from "lru-cache";

/** A TLS session, and facts about its receiver. */
export interface KeptSession {
  readonly session: Buffer;
  /** The group that the receiver chose for its key exchanges; null: it changes, or has no name. */
  readonly group: string | null;
  /** When it showed its certificate; monotonic milliseconds. */
  readonly shownAt: number;
}

/** A certificate is checked when it is shown, which it is not where a session is resumed. */
const LONGEST_MS = 60 * 60_000;
/** Memory of a session besides its own bytes and its origin. */
const ENTRY_BYTES = 300;

/** The last session of each origin, as memory allows. */
export class SessionCache {
  readonly #sessions: LRUCache<string, KeptSession>;
  readonly #now: () => number;

  constructor(maxBytes: number, now: () => number) {
    this.#now = now;
    this.#sessions = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ session }, origin) => session.length + origin.length + ENTRY_BYTES,
    });
  }

  find(origin: string): KeptSession | undefined {
    const kept = this.#sessions.get(origin);
    if (kept === undefined || this.#now() - kept.shownAt < LONGEST_MS) return kept;
    this.#sessions.delete(origin);
    return undefined;
  }

  keep(
    origin: string,
    session: Buffer,
    /** `before`: the session that was offered to the receiver; `resumed`: it took it. */
    { group, before, resumed }: { group: string | null; before?: KeptSession; resumed: boolean },
  ): void {
    const isSame = before === undefined || before.group === group;
    this.#sessions.set(origin, {
      session,
      group: isSame ? group : null,
      // Receivers give new sessions to those that resume one, without an end.
      shownAt: resumed && before !== undefined ? before.shownAt : this.#now(),
    });
  }

  drop(origin: string): void {
    this.#sessions.delete(origin);
  }
}
