import type { SendableWebhook } from "@markethook/store";
import type { FailureCategory, SendResult } from "../send/send-result.ts";

/** What says that no connection came about, wherever the fault lies. */
const CONNECTION: ReadonlySet<FailureCategory> = new Set([
  "dns_failure",
  "connection_refused",
  "connection_failed",
  "connection_reset",
  "timeout",
]);
/** Attempts are forgotten after one to two of these. */
const GENERATION_MS = 60_000;
/** With fewer a majority says little. */
const LEAST_WEBHOOKS = 10;
const LEAST_HOSTS = 3;
const MOST_WEBHOOKS = 5000;

/** By webhook, what its last attempt came to: the host that could not be connected to, or null. */
type Generation = Map<number, string | null>;

/**
 * Tells a fault of our own network from faults of receivers: when more than half of all webhooks that were tried in
 * the last two minutes could not be connected to, at several hosts, it is not they who are down. Meanwhile such
 * failures must not count toward disabling anybody.
 */
export class OutageWatch {
  readonly #now: () => number;
  readonly #changed: (suspected: boolean) => void;
  /** Each webhook stands in one of the two. Forgetting a whole one costs less than looking for the oldest each time. */
  #current: Generation = new Map();
  #previous: Generation = new Map();
  #since: number;
  readonly #failedHosts = new Map<string, number>();
  #failed = 0;
  suspected = false;

  constructor(now: () => number, changed: (suspected: boolean) => void) {
    this.#now = now;
    this.#since = now();
    this.#changed = changed;
  }

  /** True: this failure is probably our own. */
  note(
    { no, recovery }: Pick<SendableWebhook, "no" | "recovery">,
    host: string,
    { category, sent }: Pick<SendResult, "category" | "sent">,
  ): boolean {
    const failed = category !== null && !sent && CONNECTION.has(category);
    this.#forgetOld();
    if (!this.#remove(this.#current, no)) this.#remove(this.#previous, no);
    // Who was away before is no news: the few that are left of a quiet evening are mostly retries of those.
    const known = (recovery?.failingMs ?? 0) > 2 * GENERATION_MS && !this.suspected;
    if (failed && known) return false;
    this.#current.set(no, failed ? host : null);
    if (failed) {
      this.#failed += 1;
      this.#failedHosts.set(host, (this.#failedHosts.get(host) ?? 0) + 1);
    }
    const tried = this.#current.size + this.#previous.size;
    const suspected =
      tried >= LEAST_WEBHOOKS && this.#failedHosts.size >= LEAST_HOSTS && this.#failed * 2 > tried;
    if (suspected !== this.suspected) {
      this.suspected = suspected;
      this.#changed(suspected);
    }
    return failed && suspected;
  }

  #forgetOld(): void {
    const age = this.#now() - this.#since;
    if (age < GENERATION_MS && this.#current.size < MOST_WEBHOOKS) return;
    this.#clear(this.#previous);
    if (age >= 2 * GENERATION_MS) this.#clear(this.#current);
    [this.#current, this.#previous] = [this.#previous, this.#current];
    this.#since = this.#now();
  }

  #clear(generation: Generation): void {
    for (const host of generation.values()) this.#uncount(host);
    generation.clear();
  }

  /** False: it is not there. */
  #remove(generation: Generation, no: number): boolean {
    const host = generation.get(no);
    if (host === undefined) return false;
    this.#uncount(host);
    return generation.delete(no);
  }

  #uncount(host: string | null): void {
    if (host === null) return;
    this.#failed -= 1;
    const left = (this.#failedHosts.get(host) ?? 1) - 1;
    if (left > 0) this.#failedHosts.set(host, left);
    else this.#failedHosts.delete(host);
  }
}
