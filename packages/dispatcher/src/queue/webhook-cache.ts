import type { SendableWebhook, WebhookStore } from "@markethook/store";

/**
 * URL, secrets and state of webhooks, at most a second old. They are read when a request is about to be made, and again
 * after a change that this process made or was notified of. Deliveries in memory hold ids only, so a pause, an edit or
 * a deletion reaches every delivery that has not been dialled.
 */
export interface WebhookCache {
  /** Undefined: not known, or too old; then call `load`. Null: there is no such webhook. */
  peek(no: number): SendableWebhook | null | undefined;
  /** Reads it together with the others that are asked for in this turn of the event loop, then calls `loaded`. */
  load(no: number): void;
  forget(nos: readonly number[]): void;
  /** Call when its age cannot be known: the monotonic clock stood still while the machine slept. */
  forgetAll(): void;
  /** Call when other code begins to read webhooks as part of its work. */
  begin(): Reading;
  /** Keeps the webhooks of such a reading. */
  end(reading: Reading, webhooks: readonly SendableWebhook[]): void;
  /** Webhooks that need not be read again yet. None if most webhooks are new each time. */
  fresh(): number[];
}

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
  failed(nos: number[], error: unknown): void;
}

/** At least this many are kept; entries older than a second are read again anyway. */
const KEPT = 5000;
const AT_ONCE = 1000;
/** How many are named with each commit. */
const MOST_FRESH = 1000;

interface Entry {
  webhook: SendableWebhook | null;
  readAt: number;
}

export function createWebhookCache(options: WebhookCacheOptions): WebhookCache {
  const { webhooks, now, maxAgeMs } = options;
  // A full map becomes the old one, and the old one is dropped as a whole. Removing one entry for each new one would
  // cost more when most webhooks are new.
  let entries = new Map<number, Entry>();
  let older = new Map<number, Entry>();
  let filledAt = Number.NEGATIVE_INFINITY;
  const wanted = new Set<number>();
  const loading = new Set<number>();
  const readings = new Set<Reading>();
  let scheduled = false;

  function begin(): Reading {
    const reading = { readAt: now(), outdated: new Set<number>() };
    readings.add(reading);
    return reading;
  }

  function keep(no: number, webhook: SendableWebhook | null, { readAt, outdated }: Reading): void {
    if (outdated.has(no)) return;
    const known = entries.get(no) ?? older.get(no);
    if (known !== undefined && known.readAt > readAt) return;
    entries.set(no, { webhook, readAt });
    if (entries.size < KEPT) return;
    older = entries;
    entries = new Map();
    filledAt = now();
  }

  async function read(): Promise<void> {
    scheduled = false;
    const nos = [...wanted].slice(0, AT_ONCE);
    for (const no of nos) {
      wanted.delete(no);
      loading.add(no);
    }
    if (wanted.size > 0) schedule();
    const reading = begin();
    try {
      const found = new Map(
        (await webhooks.forSending(nos)).map((webhook) => [webhook.no, webhook]),
      );
      for (const no of nos) {
        loading.delete(no);
        keep(no, found.get(no) ?? null, reading);
        if (reading.outdated.has(no)) wanted.add(no);
      }
      if (wanted.size > 0) schedule();
      options.loaded(nos);
    } catch (error) {
      for (const no of nos) loading.delete(no);
      options.failed(nos, error);
    } finally {
      readings.delete(reading);
    }
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => void read());
  }

  return {
    peek(no) {
      const entry = entries.get(no) ?? older.get(no);
      return entry === undefined || now() - entry.readAt > maxAgeMs ? undefined : entry.webhook;
    },
    load(no) {
      if (loading.has(no)) return;
      wanted.add(no);
      schedule();
    },
    forget(nos) {
      for (const no of nos) {
        entries.delete(no);
        older.delete(no);
        for (const { outdated } of readings) outdated.add(no);
      }
    },
    forgetAll() {
      entries.clear();
      older.clear();
      for (const reading of readings) reading.readAt = Number.NEGATIVE_INFINITY;
    },
    begin,
    end(reading, webhooks) {
      readings.delete(reading);
      for (const webhook of webhooks) keep(webhook.no, webhook, reading);
    },
    fresh() {
      const after = now() - maxAgeMs / 2;
      // Thousands in so short a time: most of them are read once only.
      if (filledAt >= after) return [];
      const nos: number[] = [];
      for (const [no, { readAt }] of entries) {
        if (readAt >= after) nos.push(no);
        if (nos.length === MOST_FRESH) break;
      }
      return nos;
    },
  };
}
