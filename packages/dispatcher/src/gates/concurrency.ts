import type { SendableWebhook } from "@markethook/store";
import { LRUCache } from "lru-cache";
import { untranslated } from "../guard/vet-addresses.ts";
import type { Place, Waiter } from "../queue/place.ts";
import type { WebhookQueue } from "../queue/webhook-queue.ts";
import type { DispatcherSettings } from "../wiring/settings.ts";
import { Counter } from "./counter.ts";
import type { Gate, OpenRequest } from "./gate.ts";

const SLOW_PART = 0.3;
const JUST_SLOW_PART = 0.1;
const NEW_PART = 0.4;
const KNOWN_HOSTS = 20_000;
/** With more counters than this, idle ones are forgotten. */
const IDLE_COUNTERS = 1000;
/** A look through the line of new webhooks can take milliseconds, and a host can fail and answer well in turns. */
const LOOK_EVERY_MS = 100;

/**
 * Kinds of webhooks that may never take all slots; each kind has a part of its own. `slow`: its last request failed or
 * took over a second. `justSlow`: the same, but its second try is still to come, and the slots of `slow` are all taken. A
 * request leaves this part after a second. `new`: it has never answered well, and its host has not done so lately.
 */
type Share = "slow" | "justSlow" | "new";

export interface ConcurrencyOptions extends Pick<
  DispatcherSettings,
  "concurrency" | "hostConcurrency" | "addressConcurrency"
> {
  now: () => number;
  /** Called when a place has new room. */
  wake(place: Place): void;
  /** Called with queues that wait for a share of new webhooks, and do not need it any more. */
  goOn(queues: readonly Waiter[]): void;
}

/** Caps on open requests by host name and port, by address, and by share. */
export class Concurrency implements Gate {
  readonly reasons = ["host", "address", "slow-share", "new-share"] as const;
  readonly #options: ConcurrencyOptions;
  readonly #hosts = new Map<string, Counter>();
  readonly #addresses = new Map<string, Counter>();
  readonly #shares: Readonly<Record<Share, Counter>>;
  /** The address of the last request to each host. */
  readonly #addressOf = new Map<string, string>();
  readonly #goodHosts = new LRUCache<string, true>({ max: KNOWN_HOSTS });
  /** Those that have become good since new webhooks that wait were looked through. */
  readonly #becameGood = new Set<string>();
  #lookedAt = -Infinity;
  #look: NodeJS.Timeout | null = null;

  constructor(options: ConcurrencyOptions) {
    this.#options = options;
    const part = (of: number): number => Math.max(1, Math.floor(options.concurrency * of));
    this.#shares = {
      slow: new Counter("slow-share", "webhooks that are slow or fail", part(SLOW_PART)),
      justSlow: new Counter(
        "slow-share",
        "webhooks that have just been slow",
        part(JUST_SLOW_PART),
      ),
      new: new Counter("new-share", "webhooks that have not answered yet", part(NEW_PART)),
    };
  }

  get slowOpen(): number {
    return this.#shares.slow.open;
  }

  wait({ host }: SendableWebhook, queue: WebhookQueue, now: number): Place | null {
    const byHost = this.#hosts.get(host);
    if (byHost?.isFull(now, queue.standing) === true) return byHost;
    const address = this.#addressOf.get(host);
    const byAddress = address === undefined ? undefined : this.#addresses.get(address);
    if (byAddress?.isFull(now, queue.standing) === true) return byAddress;
    const share = this.#shareOf(queue, host, now);
    return share?.isFull(now) === true ? share : null;
  }

  enter({ host }: SendableWebhook, request: OpenRequest, now: number): void {
    const { hostConcurrency, addressConcurrency } = this.#options;
    const address = this.#addressOf.get(host);
    const counters = {
      host: counterOf(this.#hosts, "host", host, hostConcurrency),
      address:
        address === undefined
          ? null
          : counterOf(this.#addresses, "address", address, addressConcurrency),
      share: this.#shareOf(request.queue, host, now),
    };
    counters.host.enter(request.slow);
    counters.address?.enter(request.slow);
    counters.share?.enter();
    request.counters = counters;
  }

  leave(_webhook: SendableWebhook, _sent: boolean, { counters, slow }: OpenRequest): void {
    if (counters === null) return;
    const { host, address, share } = counters;
    this.#leave(host, slow);
    if (address !== null) this.#leave(address, slow);
    if (share !== null) this.#leave(share, false);
  }

  /** Learns to which address a request to this host went. One reached through NAT64 counts as the IPv4 address behind it. */
  learn(host: string, address: string): void {
    // Most hosts keep their address, and parsing it takes microseconds.
    if (this.#addressOf.get(host) === address) return;
    if (this.#addressOf.size > KNOWN_HOSTS) this.#addressOf.clear();
    this.#addressOf.set(host, untranslated(address));
  }

  /** Counts an open request as slow from now on, unless it has a share already. */
  becameSlow(request: OpenRequest): void {
    const { queue, counters } = request;
    request.slow = true;
    queue.slow = true;
    if (counters === null) return;
    counters.host.becameSlow();
    counters.address?.becameSlow();
    if (counters.share === this.#shares.justSlow) {
      queue.justSlow = false;
      this.#leave(counters.share, false);
    } else if (counters.share !== null) return;
    counters.share = this.#shares.slow;
    counters.share.enter();
  }

  /**
   * Stores how a host answered last. Without that, each of many webhooks at one host would count as new. If they wait as
   * new ones, a timer lets them out soon, because no other answer may come for long.
   */
  judged(host: string, well: boolean): void {
    if (!well) {
      this.#goodHosts.delete(host);
      this.#becameGood.delete(host);
    } else if (this.#goodHosts.get(host) === undefined) {
      this.#goodHosts.set(host, true);
      if (this.#shares.new.waiting === 0) return;
      this.#becameGood.add(host);
      if (this.#look !== null) return;
      const ms = Math.max(0, this.#lookedAt + LOOK_EVERY_MS - this.#options.now());
      this.#look = setTimeout(() => this.#lookThrough(), ms).unref();
    }
  }

  #lookThrough(): void {
    this.#look = null;
    this.#lookedAt = this.#options.now();
    const queues = this.#shares.new.waitingOf(this.#becameGood);
    this.#becameGood.clear();
    this.#options.goOn(queues);
  }

  /** Call when the queue's standing has changed. Returns true if it waits in a line, or for a share, of others by now. */
  isInWrongLine(queue: WebhookQueue, host: string): boolean {
    const place = queue.line?.place ?? null;
    if (place === null) return false;
    const line = place.lineFor(queue);
    if (line !== null && line !== queue.line) return true;
    const isShare = Object.values(this.#shares).some((share) => share === place);
    return isShare && place !== this.#shareOf(queue, host, this.#options.now());
  }

  /** The share that limits it. Null: it may use all slots. */
  #shareOf(queue: WebhookQueue, host: string, now: number): Counter | null {
    const { slow, justSlow } = this.#shares;
    if (queue.slow) return queue.hasSecondTry && slow.isFull(now) ? justSlow : slow;
    return queue.proven || this.#goodHosts.has(host) ? null : this.#shares.new;
  }

  #leave(counter: Counter, slow: boolean): void {
    counter.leave(slow);
    this.#options.wake(counter);
  }
}

function counterOf(
  counters: Map<string, Counter>,
  reason: "host" | "address",
  key: string,
  cap: number,
): Counter {
  const known = counters.get(key);
  if (known !== undefined) return known;
  const forget = (): void => {
    if (counters.size > IDLE_COUNTERS) counters.delete(key);
  };
  const counter = new Counter(reason, key, cap, { divided: true, forget });
  counters.set(key, counter);
  return counter;
}
