import type { SendableWebhook } from "@markethook/store";
import type { FailureCategory, SendResult } from "./send/send-result.ts";

/** What says that no connection came about, wherever the fault lies. */
const CONNECTION: ReadonlySet<FailureCategory> = new Set([
  "dns_failure",
  "connection_refused",
  "connection_failed",
  "connection_reset",
  "timeout",
]);
const WINDOW_MS = 2 * 60_000;
/** With fewer a majority says little. */
const LEAST_WEBHOOKS = 10;
const LEAST_HOSTS = 3;
const MOST_WEBHOOKS = 10_000;

interface Last {
  at: number;
  failed: boolean;
  host: string;
}

/**
 * Tells a fault of our own network from faults of receivers: when more than half of all webhooks that were tried in
 * the last two minutes could not be connected to, at several hosts, it is not they who are down. Meanwhile such
 * failures must not count toward disabling anybody.
 */
export class OutageWatch {
  readonly #now: () => number;
  readonly #changed: (suspected: boolean) => void;
  /** In order of their last attempt. */
  readonly #last = new Map<number, Last>();
  readonly #failedHosts = new Map<string, number>();
  #failed = 0;
  suspected = false;

  constructor(now: () => number, changed: (suspected: boolean) => void) {
    this.#now = now;
    this.#changed = changed;
  }

  /** True: this failure is probably our own. */
  note(
    { no, comeback }: Pick<SendableWebhook, "no" | "comeback">,
    host: string,
    { category, sent }: Pick<SendResult, "category" | "sent">,
  ): boolean {
    const failed = category !== null && !sent && CONNECTION.has(category);
    this.#remove(no);
    // Who was away before is no news: the few that are left of a quiet evening are mostly retries of those.
    const known = (comeback?.failingMs ?? 0) > WINDOW_MS && !this.suspected;
    if (failed && known) return false;
    this.#last.set(no, { at: this.#now(), failed, host });
    if (failed) {
      this.#failed += 1;
      this.#failedHosts.set(host, (this.#failedHosts.get(host) ?? 0) + 1);
    }
    this.#forget();
    const suspected =
      this.#last.size >= LEAST_WEBHOOKS &&
      this.#failedHosts.size >= LEAST_HOSTS &&
      this.#failed * 2 > this.#last.size;
    if (suspected !== this.suspected) {
      this.suspected = suspected;
      this.#changed(suspected);
    }
    return failed && suspected;
  }

  #forget(): void {
    const before = this.#now() - WINDOW_MS;
    for (const [no, { at }] of this.#last) {
      if (at > before && this.#last.size <= MOST_WEBHOOKS) break;
      this.#remove(no);
    }
  }

  #remove(no: number): void {
    const last = this.#last.get(no);
    if (last === undefined) return;
    this.#last.delete(no);
    if (!last.failed) return;
    this.#failed -= 1;
    const left = (this.#failedHosts.get(last.host) ?? 1) - 1;
    if (left > 0) this.#failedHosts.set(last.host, left);
    else this.#failedHosts.delete(last.host);
  }
}
