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

export function createWebhookCache(options: WebhookCacheOptions): WebhookCache {
  const { webhooks, now, maxAgeMs } = options;
  const entries = new LRUCache<number, { webhook: SendableWebhook | null; readAt: number }>({
    max: KEPT,
  });
  const wanted = new Set<number>();
  const reading = new Set<number>();
  /** Changed while they were being read: what was read may be from before. */
  const outdated = new Set<number>();
  let scheduled = false;

  async function read(): Promise<void> {
    scheduled = false;
    const nos = [...wanted].slice(0, AT_ONCE);
    for (const no of nos) {
      wanted.delete(no);
      reading.add(no);
    }
    if (wanted.size > 0) schedule();
    const readAt = now();
    try {
      const found = new Map(
        (await webhooks.forSending(nos)).map((webhook) => [webhook.no, webhook]),
      );
      for (const no of nos) {
        reading.delete(no);
        if (outdated.delete(no)) wanted.add(no);
        else entries.set(no, { webhook: found.get(no) ?? null, readAt });
      }
      if (wanted.size > 0) schedule();
      options.loaded(nos);
    } catch (error) {
      for (const no of nos) {
        reading.delete(no);
        outdated.delete(no);
      }
      options.failed(nos, error);
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
      if (reading.has(no)) return;
      wanted.add(no);
      schedule();
    },
    forget(nos) {
      for (const no of nos) {
        entries.delete(no);
        if (reading.has(no)) outdated.add(no);
      }
    },
  };
}
