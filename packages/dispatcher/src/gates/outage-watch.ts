import type { Instance, SendableWebhook } from "@markethook/store";
import type { FailureCategory, SendResult } from "../send/send-result.ts";

/** Failures without a connection, on either side. */
const CONNECTION: ReadonlySet<FailureCategory> = new Set([
  "dns_failure",
  "connection_refused",
  "connection_failed",
  "connection_reset",
  "timeout",
]);
/** If nothing was sent for one of these, it is not known whether there is a connection. */
const SAYS_NOTHING: ReadonlySet<FailureCategory> = new Set([
  "blocked",
  "address_unconfirmed",
  "socket_limit",
  "lease_lost",
  "stopped",
  "sender_lost",
]);
/** Attempts are forgotten after one to two generations. */
const GENERATION_MS = 60_000;
/** With fewer webhooks a majority means little. */
const LEAST_WEBHOOKS = 10;
const LEAST_HOSTS = 3;
const MOST_WEBHOOKS = 5000;
/** This many results show whether the network of an instance that stands aside is back. */
const ENOUGH_TRIED = 3;
/**
 * An instance that stood aside for so long without a failure takes part again: the others have sent everything, or its
 * network is back and there is too little to try.
 */
const NOTHING_FAILED_MS = 60_000;

/** Result of the last attempt by webhook: the host that could not be connected to, or null. */
type Generation = Map<number, string | null>;

/**
 * Tells a fault of our own network from faults of receivers. If more than half of all webhooks tried in the last two
 * minutes could not be connected to, at several hosts, the receivers are probably not down. Meanwhile such failures
 * must not count toward disabling a webhook.
 *
 * An instance that alone suspects its network stands aside: the others send, and it only tries now and then whether its
 * network is back. If all suspect theirs, the fault may be anywhere, and all go on.
 *
 * sending --suspects its network, and another instance does not--> aside
 * aside --most of what was tried since was connected to, nothing failed for a minute, or all suspect theirs--> sending
 */
export class OutageWatch {
  readonly #now: () => number;
  readonly #changed: (suspected: boolean) => void;
  readonly #steppedAside: (isAside: boolean) => void;
  /**
   * Each webhook stands in one of the two. Dropping a whole generation costs less than finding the oldest entry each
   * time.
   */
  #current: Generation = new Map();
  #previous: Generation = new Map();
  #since: number;
  readonly #failedHosts = new Map<string, number>();
  #failed = 0;
  #failedAt = 0;
  #othersReach = false;
  suspected = false;
  isAside = false;

  constructor(options: {
    now: () => number;
    changed(suspected: boolean): void;
    steppedAside(isAside: boolean): void;
  }) {
    this.#now = options.now;
    this.#since = options.now();
    this.#changed = options.changed;
    this.#steppedAside = options.steppedAside;
  }

  /** Call regularly with all instances, and the number of this one. */
  noteInstances(
    instances: readonly Pick<Instance, "instanceNo" | "networkSuspected">[],
    own: number | null,
  ): void {
    this.#othersReach = instances.some(
      ({ instanceNo, networkSuspected }) => instanceNo !== own && !networkSuspected,
    );
    if (this.isAside && this.#now() - this.#failedAt > NOTHING_FAILED_MS) this.#suspect(false);
    else this.#judgeAside();
  }

  /** Returns true if this failure is probably our own. */
  note(
    { no, recovery }: Pick<SendableWebhook, "no" | "recovery">,
    host: string,
    { category, sent }: Pick<SendResult, "category" | "sent">,
  ): boolean {
    if (category !== null && !sent && SAYS_NOTHING.has(category)) return false;
    const failed = category !== null && !sent && CONNECTION.has(category);
    this.#forgetOld();
    // It was written before the connection was lost, and its time is over only now.
    const isOlder = this.suspected && sent && category === "timeout";
    if (!isOlder) {
      if (!this.#remove(this.#current, no)) this.#remove(this.#previous, no);
      // Webhooks that failed before are not counted: in a quiet hour most attempts are retries of these. While an
      // instance stands aside, they fail at the others too.
      const leavesOut = this.isAside || !this.suspected;
      const known = (recovery?.failingMs ?? 0) > 2 * GENERATION_MS && leavesOut;
      if (failed && known) return this.suspected;
      if (failed) this.#failedAt = this.#now();
      this.#count(no, failed ? host : null);
    }
    const tried = this.#current.size + this.#previous.size;
    const most =
      tried >= LEAST_WEBHOOKS && this.#failedHosts.size >= LEAST_HOSTS && this.#failed * 2 > tried;
    if (this.isAside) this.#suspect(tried < ENOUGH_TRIED || this.#failed * 2 >= tried);
    // In a quiet hour only few are tried: as long as these fail too, the fault goes on.
    else this.#suspect(most || (this.suspected && failed && tried < LEAST_WEBHOOKS));
    return failed && this.suspected;
  }

  #suspect(suspected: boolean): void {
    if (suspected === this.suspected) return;
    this.suspected = suspected;
    this.#changed(suspected);
    this.#judgeAside();
  }

  #judgeAside(): void {
    const isAside = this.suspected && this.#othersReach;
    if (isAside === this.isAside) return;
    this.isAside = isAside;
    if (isAside) {
      // Only attempts from now on count.
      this.#clear(this.#previous);
      this.#clear(this.#current);
      this.#failedAt = this.#now();
    }
    this.#steppedAside(isAside);
  }

  #count(no: number, failedHost: string | null): void {
    this.#current.set(no, failedHost);
    if (failedHost === null) return;
    this.#failed += 1;
    this.#failedHosts.set(failedHost, (this.#failedHosts.get(failedHost) ?? 0) + 1);
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

  /** Returns false if the webhook is not there. */
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
