import type { SendableWebhook } from "@markethook/store";
import { LRUCache } from "lru-cache";
import { Place, type WaitReason } from "../queue/place.ts";
import type { Gate } from "./gate.ts";
import type { AllowList } from "../guard/allow-list.ts";
import type { CachingResolver } from "../guard/resolver.ts";
import { bareHost, portOf } from "../guard/url-rules.ts";
import type { FailureCategory, SendResult } from "../send/send-result.ts";
import type { ConfirmedHosts } from "./confirmed-hosts.ts";
import { RateWindow } from "./rate-window.ts";

export interface HostGateOptions {
  confirmed: ConfirmedHosts;
  resolver: CachingResolver;
  /** An operator's own receivers are nobody's victims. */
  allow: AllowList;
  /** To a host, and to an address, that never answered 2xx; what this instance may send of it now. */
  perSecond(): number;
  /** Monotonic milliseconds. */
  now: () => number;
  /** There is room again in this place. */
  wake(place: Place): void;
}

/** Where webhooks wait until a name that nobody has answered for is resolved. */
class Lookup extends Place {
  isDone = false;

  override room(): number {
    return this.isDone ? Infinity : 0;
  }

  override until(): number {
    return Infinity;
  }
}

/** What an unproven host, or an unproven address, gets in a second. */
class Unproven extends Place {
  readonly window: RateWindow;
  readonly #isTrusted: () => boolean;

  constructor(reason: WaitReason, name: string, window: RateWindow, isTrusted: () => boolean) {
    super(reason, name);
    this.window = window;
    this.#isTrusted = isTrusted;
  }

  override room(now: number): number {
    return this.#isTrusted() ? Infinity : this.window.room(now);
  }

  override until(now: number): number {
    return this.#isTrusted() ? now : this.window.freeAt(now);
  }
}

const REMEMBERED = 10_000;
const PATIENCE_MS = 5000;

/**
 * Against being used to flood somebody who never asked for it: an address that has not answered 2xx under the name that
 * leads to it gets few requests in a second, however many webhooks, owners and names point there.
 *
 * trusted host, chat                      -> goes, to confirmed addresses only (`reach`)
 * name not resolved                       -> waits until it is
 * name leads to a confirmed address again -> trusted
 * window full                             -> waits, by host or by address
 *
 * Where a name leads is not remembered here: what is counted is the answer that the dial will have from the resolver, or
 * a name that changes its address could be counted for one and dialled at the other. A trusted host costs no look at
 * that answer; if it leads elsewhere, the dial finds no address, and the host is in doubt.
 */
export class HostGate implements Gate {
  readonly #options: HostGateOptions;
  readonly #hosts = new LRUCache<string, Unproven>({ max: REMEMBERED });
  readonly #addresses = new LRUCache<string, Unproven>({ max: REMEMBERED });
  readonly #lookups = new Map<string, Lookup>();

  constructor(options: HostGateOptions) {
    this.#options = options;
  }

  wait(webhook: SendableWebhook): Place | null {
    if (!this.#limits(webhook)) return null;
    const places = this.#placesOf(webhook);
    if (places === undefined) return this.#lookUp(webhook);
    const now = this.#options.now();
    return places.find((place) => place.isFull(now)) ?? null;
  }

  enter(webhook: SendableWebhook): void {
    if (!this.#limits(webhook)) return;
    const now = this.#options.now();
    for (const { window } of this.#placesOf(webhook) ?? []) window.note(now);
  }

  /**
   * To be called in the turn in which a request passes: to which addresses it may go, asked when it is dialled or sent on
   * a kept connection. By then the host may be in doubt, and others counted.
   */
  reach({ url, host }: Pick<SendableWebhook, "url" | "host">): (address: string) => boolean {
    const { confirmed, allow, resolver } = this.#options;
    const counted = !confirmed.trusts(host);
    return (address) => {
      if (confirmed.has(host, address)) return true;
      const parsed = new URL(url);
      if (allow.allows(address, portOf(parsed))) return true;
      // It was counted for the addresses to which its name leads now.
      return counted && resolver.known(bareHost(parsed))?.includes(address) === true;
    };
  }

  /** What came of a request that passed. */
  note(host: string, { status, category, address, sent }: SendResult): void {
    const { confirmed } = this.#options;
    if (address !== null && category === null && status !== null && status >= 200 && status < 300) {
      const place = confirmed.add(host, address) ? this.#hosts.get(host) : undefined;
      if (place !== undefined) this.#options.wake(place);
    } else if (category === "address_unconfirmed") confirmed.doubt(host);
    // Its other addresses must have their turn when those that are confirmed are gone.
    else if (!sent && category !== null && UNREACHABLE.has(category)) confirmed.forget(host);
  }

  /** For a ping, which nobody queues: false when its turn does not come soon. */
  async turn(webhook: SendableWebhook): Promise<boolean> {
    const end = this.#options.now() + PATIENCE_MS;
    for (;;) {
      const place = this.wait(webhook);
      if (place === null) {
        this.enter(webhook);
        return true;
      }
      const now = this.#options.now();
      const until = place.until(now);
      if (now > end || (until !== Infinity && until > end)) return false;
      // With room that is reserved for the queue the time is now.
      const ms = until === Infinity || until <= now ? LOOK_MS : until - now;
      await new Promise((resolve) => setTimeout(resolve, ms));
    }
  }

  /** A chat's platform is well known, and has a pace of its own. */
  #limits({ chat, host }: SendableWebhook): boolean {
    return chat === null && !this.#options.confirmed.trusts(host);
  }

  #lookUp({ url, host }: SendableWebhook): Place {
    const running = this.#lookups.get(host);
    if (running !== undefined) return running;
    const lookup = new Lookup("host-lookup", host);
    this.#lookups.set(host, lookup);
    const done = (): void => {
      this.#lookups.delete(host);
      lookup.isDone = true;
      this.#options.wake(lookup);
    };
    // Where it leads, or that it leads nowhere, is known to the resolver now.
    void this.#options.resolver.resolve(bareHost(new URL(url))).then(done, done);
    return lookup;
  }

  /**
   * The places it has to pass; undefined: its name has to be resolved first. None: there is nobody to protect, or its
   * name leads nowhere, which its dial will tell.
   */
  #placesOf({ url, host }: SendableWebhook): Unproven[] | undefined {
    const parsed = URL.parse(url);
    if (parsed === null) return [];
    const { allow, resolver, confirmed } = this.#options;
    const port = portOf(parsed);
    const addresses = resolver.known(bareHost(parsed));
    if (addresses === undefined) return undefined;
    const foreign = addresses.filter((address) => !allow.allows(address, port));
    if (foreign.length === 0) return [];
    const back = foreign.find((address) => confirmed.has(host, address));
    if (back !== undefined) {
      confirmed.add(host, back);
      return [];
    }
    return [this.#hostPlace(host), ...foreign.map((address) => this.#addressPlace(address))];
  }

  #hostPlace(host: string): Unproven {
    return placeIn(this.#hosts, host, () => {
      const window = new RateWindow(this.#options.perSecond);
      return new Unproven("unproven-host", host, window, () =>
        this.#options.confirmed.trusts(host),
      );
    });
  }

  #addressPlace(address: string): Unproven {
    return placeIn(this.#addresses, address, () => {
      const window = new RateWindow(this.#options.perSecond);
      return new Unproven("unproven-address", address, window, () => false);
    });
  }
}

function placeIn(
  places: LRUCache<string, Unproven>,
  key: string,
  create: () => Unproven,
): Unproven {
  let place = places.get(key);
  if (place === undefined) {
    place = create();
    places.set(key, place);
  }
  return place;
}

/** No connection came about. */
const UNREACHABLE: ReadonlySet<FailureCategory> = new Set([
  "connection_refused",
  "connection_failed",
  "connection_reset",
  "timeout",
]);

const LOOK_MS = 20;
