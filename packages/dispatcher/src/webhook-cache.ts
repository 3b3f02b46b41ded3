import type { SendableWebhook, WebhookStore } from "@markethook/store";
import { LRUCache } from "lru-cache";

/**
 * URL, secrets and state as of at most a second ago, read when a request is about to be made; at once after a
 * change that this process made or was told of. Deliveries in memory hold ids only, so that a pause, an edit or a
 * deletion reaches everything that has not been dialled.
 */
export interface WebhookCache {
  /** Undefined: not known, or too old; then `load` it. Null: there is no such webhook. */
  peek(no: number): SendableWebhook | null | undefined;
  /** Reads it with whatever else is asked for in this turn, then calls `loaded`. */
  load(no: number): void;
  forget(nos: readonly number[]): void;
  /** Somebody else begins to read webhooks beside other work. */
  begin(): Reading;
  /** Keeps what that read. */
  end(reading: Reading, webhooks: readonly SendableWebhook[]): void;
  /** Not worth reading again yet; those used last. */
  fresh(): number[];
}

/** Webhooks are being read, as of some moment since `readAt`. */
export interface Reading {
  readAt: number;
  /** Changed meanwhile: what is read may be from before. */
  outdated: Set<number>;
}

export interface WebhookCacheOptions {
  webhooks: Pick<WebhookStore, "forSending">;
  now: () => number;
  maxAgeMs: number;
  loaded(nos: number[]): void;
  failed(nos: number[], error: unknown): void;
}

/** What is older than a second is read again anyway. */
const KEPT = 5000;
const AT_ONCE = 1000;
/** Named with each commit: where there are more, most of them are read once and not again. */
const MOST_FRESH = 1000;

export function createWebhookCache(options: WebhookCacheOptions): WebhookCache {
  const { webhooks, now, maxAgeMs } = options;
  const entries = new LRUCache<number, { webhook: SendableWebhook | null; readAt: number }>({
    max: KEPT,
  });
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
    const known = entries.get(no);
    if (known === undefined || known.readAt <= readAt) entries.set(no, { webhook, readAt });
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
      const entry = entries.get(no);
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
        for (const { outdated } of readings) outdated.add(no);
      }
    },
    begin,
    end(reading, webhooks) {
      readings.delete(reading);
      for (const webhook of webhooks) keep(webhook.no, webhook, reading);
    },
    fresh() {
      const after = now() - maxAgeMs / 2;
      const nos: number[] = [];
      let left = MOST_FRESH;
      // Those used last come first.
      for (const [no, { readAt }] of entries.entries()) {
        if (readAt >= after) nos.push(no);
        left -= 1;
        if (left === 0) break;
      }
      return nos;
    },
  };
}
