import type { SendableWebhook } from "@markethook/store";
import { LRUCache } from "lru-cache";
import { Door, Place, placeIn, type WaitReason } from "../queue/place.ts";
import type { Gate } from "./gate.ts";
import type { AllowList } from "../guard/allow-list.ts";
import type { CachingResolver } from "../guard/resolver.ts";
import { bareHost, portOf } from "../guard/url-rules.ts";
import { untranslated } from "../guard/vet-addresses.ts";
import type { FailureCategory } from "../send/send-result.ts";
import type { JudgedResult } from "../send/signed-exchange.ts";
import type { ConfirmedHosts } from "./confirmed-hosts.ts";
import { RateWindow } from "./rate-window.ts";

export interface HostGateOptions {
  confirmed: ConfirmedHosts;
  resolver: CachingResolver;
  /** Receivers in the operator's own networks are not limited. */
  allow: AllowList;
  /** How many requests per second this instance may send now to a host, and to an address, that never answered 2xx. */
  perSecond(): number;
  now: () => number;
  /** Called when there is room again at a place. */
  wake(place: Place): void;
}

/** The requests per second of an unproven host, or of an unproven address. */
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
 * Prevents owners from flooding a third party through us. An address that has not answered 2xx under the name that
 * leads to it gets few requests in a second, from all webhooks, owners and names together.
 *
 * trusted host, chat                      -> goes, to confirmed addresses only (`reach`)
 * name not resolved                       -> waits until it is
 * name leads to a confirmed address again -> trusted
 * window full                             -> waits, by host or by address
 *
 * This gate does not store where a name leads. It counts for the addresses that the dial will get from the resolver.
 * Otherwise a name that changes its address could be counted for one and dialled at another. A trusted host is not
 * looked up here: if its name leads elsewhere, the dial finds no allowed address, and the host is in doubt.
 */
export class HostGate implements Gate {
  readonly reasons = ["host-lookup", "unproven-host", "unproven-address"] as const;
  readonly #options: HostGateOptions;
  readonly #hosts = new LRUCache<string, Unproven>({ max: REMEMBERED });
  readonly #addresses = new LRUCache<string, Unproven>({ max: REMEMBERED });
  /** Webhooks wait here until the name of an unproven host is resolved. */
  readonly #lookups = new Map<string, Door>();

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
   * Call in the turn in which a request passes. Returns the test for the addresses to which it may go, which the dial
   * or the kept connection asks later. By then the host may be in doubt, other requests counted, and its name lead
   * elsewhere: a thread that sends has a resolver of its own, whose answer may take long.
   */
  reach({ url, host }: Pick<SendableWebhook, "url" | "host">): (address: string) => boolean {
    const { confirmed, allow } = this.#options;
    const counted = confirmed.trusts(host) ? [] : this.#leadsTo(url);
    return (address) =>
      confirmed.has(host, address) ||
      allow.allows(address, portOf(new URL(url))) ||
      counted.includes(address);
  }

  /** Learns from the result of a request that passed. */
  note(host: string, { status, category, address, sent }: JudgedResult): void {
    const { confirmed } = this.#options;
    if (address !== null && category === null && status !== null && status >= 200 && status < 300) {
      const place = confirmed.add(host, address) ? this.#hosts.get(host) : undefined;
      if (place !== undefined) this.#options.wake(place);
    } else if (category === "address_unconfirmed") confirmed.doubt(host);
    else if (!sent && category !== null && UNREACHABLE.has(category)) confirmed.unreachable(host);
  }

  /** For a ping, which stands in no queue: returns false when its turn does not come soon. */
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
      // If the queue has reserved the room, the time to try is now.
      const ms = until === Infinity || until <= now ? LOOK_MS : until - now;
      await new Promise((resolve) => setTimeout(resolve, ms));
    }
  }

  /** A chat platform is not limited here: it is well known, and has a pace of its own. */
  #limits({ chat, host }: SendableWebhook): boolean {
    return chat === null && !this.#options.confirmed.trusts(host);
  }

  #lookUp({ url, host }: SendableWebhook): Place {
    const running = this.#lookups.get(host);
    if (running !== undefined) return running;
    const lookup = new Door("host-lookup", host);
    this.#lookups.set(host, lookup);
    const done = (): void => {
      this.#lookups.delete(host);
      lookup.isOpen = true;
      this.#options.wake(lookup);
    };
    // The resolver knows now where the name leads, or that it leads nowhere.
    void this.#options.resolver.resolve(bareHost(new URL(url))).then(done, done);
    return lookup;
  }

  /**
   * The places that it has to pass. Undefined: its name has to be resolved first. None: there is no third party to
   * protect, or the name leads nowhere, which its dial will report.
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
    if (confirmed.trustAgain(host, foreign)) return [];
    // One for both addresses of a machine that is also reached through NAT64.
    const machines = new Set(foreign.map(untranslated));
    return [this.#hostPlace(host), ...Array.from(machines, (one) => this.#addressPlace(one))];
  }

  /** The addresses for which a request that passes now is counted. */
  #leadsTo(url: string): readonly string[] {
    const parsed = URL.parse(url);
    return (parsed === null ? null : this.#options.resolver.known(bareHost(parsed))) ?? [];
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

/** Failures without a connection. */
const UNREACHABLE: ReadonlySet<FailureCategory> = new Set([
  "connection_refused",
  "connection_failed",
  "connection_reset",
  "timeout",
]);

const LOOK_MS = 20;
