import { isMarkethookError, MarkethookError } from "@markethook/protocol";
import { isAboutRows, type SendableWebhook, type WebhookStore } from "@markethook/store";

/** A reading under way, of a moment since `readAt`. */
export interface Reading {
  readAt: number;
  /** Webhooks that changed meanwhile: the reading may have their old values. */
  outdated: Set<number>;
}

export interface WebhookCacheOptions {
  webhooks: Pick<WebhookStore, "forSending">;
  now: () => number;
  maxAgeMs: number;
  loaded(nos: number[]): void;
  /** The database did not answer. */
  failed(nos: number[], error: unknown): void;
  /** Their rows cannot be read; to read them again at once does not help. */
  unreadable(nos: number[], error: unknown): void;
}

/** At least this many are kept; entries older than a second are read again anyway. */
const KEPT = 5000;
const AT_ONCE = 1000;
/**
 * A webhook that took long to read can be used for this long, at any age. Otherwise nothing would be sent while the
 * database takes more than a second: each webhook would be too old whenever it has been read.
 */
const LATE_USE_MS = 100;
/** How many are named with each commit. */
const MOST_FRESH = 1000;

interface Entry {
  webhook: SendableWebhook | null;
  readAt: number;
  usableUntil: number;
}

/**
 * URL, secrets and state of webhooks, at most a second old unless the database takes longer. They are read when a request
 * is about to be made, and again after a change that this process made or was notified of. Deliveries in memory hold ids
 * only, so a pause, an edit or a deletion reaches every delivery that has not been dialled.
 */
export class WebhookCache {
  readonly #options: WebhookCacheOptions;
  // A full map becomes the old one, and the old one is dropped as a whole. Removing one entry for each new one would
  // cost more when most webhooks are new.
  #entries = new Map<number, Entry>();
  #older = new Map<number, Entry>();
  #filledAt = Number.NEGATIVE_INFINITY;
  readonly #wanted = new Set<number>();
  readonly #loading = new Set<number>();
  readonly #readings = new Set<Reading>();
  #scheduled = false;

  constructor(options: WebhookCacheOptions) {
    this.#options = options;
  }

  /** Undefined: not known, or too old; then call `load`. Null: there is no such webhook. */
  peek(no: number): SendableWebhook | null | undefined {
    const entry = this.#entries.get(no) ?? this.#older.get(no);
    return entry === undefined || this.#options.now() > entry.usableUntil
      ? undefined
      : entry.webhook;
  }

  /** Reads it together with the others that are asked for in this turn of the event loop, then calls `loaded`. */
  load(no: number): void {
    if (this.#loading.has(no)) return;
    this.#wanted.add(no);
    this.#schedule();
  }

  forget(nos: readonly number[]): void {
    for (const no of nos) {
      this.#entries.delete(no);
      this.#older.delete(no);
      for (const { outdated } of this.#readings) outdated.add(no);
    }
  }

  /** Call when its age cannot be known: the monotonic clock stood still while the machine slept. */
  forgetAll(): void {
    this.#entries.clear();
    this.#older.clear();
    for (const reading of this.#readings) reading.readAt = Number.NEGATIVE_INFINITY;
  }

  /** Call when other code begins to read webhooks as part of its work. */
  begin(): Reading {
    const reading = { readAt: this.#options.now(), outdated: new Set<number>() };
    this.#readings.add(reading);
    return reading;
  }

  /** Keeps the webhooks of such a reading. */
  end(reading: Reading, webhooks: readonly SendableWebhook[]): void {
    this.#readings.delete(reading);
    for (const webhook of webhooks) this.#keep(webhook.no, webhook, reading);
  }

  /** Webhooks that need not be read again yet. None if most webhooks are new each time. */
  fresh(): number[] {
    const { now, maxAgeMs } = this.#options;
    const after = now() - maxAgeMs / 2;
    // Thousands in so short a time: most of them are read once only.
    if (this.#filledAt >= after) return [];
    const nos: number[] = [];
    for (const [no, { readAt }] of this.#entries) {
      if (readAt >= after) nos.push(no);
      if (nos.length === MOST_FRESH) break;
    }
    return nos;
  }

  #keep(no: number, webhook: SendableWebhook | null, { readAt, outdated }: Reading): void {
    // A moment before the machine slept: nobody knows how old it is.
    if (outdated.has(no) || readAt === Number.NEGATIVE_INFINITY) return;
    const known = this.#entries.get(no) ?? this.#older.get(no);
    if (known !== undefined && known.readAt > readAt) return;
    const { now, maxAgeMs } = this.#options;
    const usableUntil = Math.max(readAt + maxAgeMs, now() + LATE_USE_MS);
    this.#entries.set(no, { webhook, readAt, usableUntil });
    if (this.#entries.size < KEPT) return;
    this.#older = this.#entries;
    this.#entries = new Map();
    this.#filledAt = this.#options.now();
  }

  async #read(): Promise<void> {
    this.#scheduled = false;
    const nos = [...this.#wanted].slice(0, AT_ONCE);
    for (const no of nos) {
      this.#wanted.delete(no);
      this.#loading.add(no);
    }
    if (this.#wanted.size > 0) this.#schedule();
    const reading = this.begin();
    const faults = await this.#readTogether(nos, reading);
    this.#readings.delete(reading);
    const [first] = faults;
    if (first === undefined) return;
    const unreadable = faults.map(({ no }) => no);
    this.#options.unreadable(unreadable, named(first.error, unreadable));
  }

  /**
   * One whose row cannot be read fails all that are read with it. So they are halved until it is alone. Returns such
   * webhooks.
   */
  async #readTogether(nos: number[], reading: Reading): Promise<{ no: number; error: unknown }[]> {
    try {
      const found = new Map(
        (await this.#options.webhooks.forSending(nos)).map((webhook) => [webhook.no, webhook]),
      );
      for (const no of nos) {
        this.#loading.delete(no);
        this.#keep(no, found.get(no) ?? null, reading);
        if (reading.outdated.has(no)) this.#wanted.add(no);
      }
      if (this.#wanted.size > 0) this.#schedule();
      this.#options.loaded(nos);
      return [];
    } catch (error) {
      // Not of the database.
      const isOfRow = (isMarkethookError(error) && OF_KEYS.has(error.code)) || isAboutRows(error);
      if (nos.length > 1 && isOfRow) {
        const middle = Math.ceil(nos.length / 2);
        const front = await this.#readTogether(nos.slice(0, middle), reading);
        return [...front, ...(await this.#readTogether(nos.slice(middle), reading))];
      }
      for (const no of nos) this.#loading.delete(no);
      if (isOfRow) return nos.map((no) => ({ no, error }));
      this.#options.failed(nos, error);
      return [];
    }
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => void this.#read());
  }
}

const OF_KEYS: ReadonlySet<unknown> = new Set(["master_key_missing", "master_key_wrong"]);

/** The fault of the first one, with the number of others. */
function named(error: unknown, [first, ...others]: readonly number[]): unknown {
  if (!(error instanceof Error)) return error;
  const of = `(webhook ${first}${others.length === 0 ? "" : `, and ${others.length} others`})`;
  if (!isMarkethookError(error)) return new Error(`${error.message} ${of}`, { cause: error });
  const { detail = error.message, ...more } = error.detail;
  return new MarkethookError(error.code, { ...more, detail: `${detail} ${of}` });
}
