import type { SendableWebhook } from "@markethook/store";
import { LRUCache } from "lru-cache";
import type { Gate, GateWait } from "./gate.ts";
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
  /** The gate has room again for what waits under this key. */
  wake(key: string): void;
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
  readonly #windows = new LRUCache<string, RateWindow>({ max: REMEMBERED });
  readonly #lookups = new Set<string>();

  constructor(options: HostGateOptions) {
    this.#options = options;
  }

  wait(webhook: SendableWebhook): GateWait | null {
    // A chat's platform is well known, and has a pace of its own.
    if (webhook.chat !== null) return null;
    const host = webhook.host;
    if (this.#options.confirmed.trusts(host)) return null;
    const keys = this.#keysOf(webhook.url, host);
    if (keys === undefined) return this.#lookUp(webhook.url, host);
    const now = this.#options.now();
    for (const key of keys) {
      const until = this.#windows.get(key)?.freeAt(now) ?? now;
      if (until > now) return { gate: this, key, until };
    }
    return null;
  }

  enter(webhook: SendableWebhook): void {
    if (webhook.chat !== null) return;
    const host = webhook.host;
    if (this.#options.confirmed.trusts(host)) return;
    for (const key of this.#keysOf(webhook.url, host) ?? []) {
      let window = this.#windows.get(key);
      if (window === undefined) {
        window = new RateWindow(this.#options.perSecond);
        this.#windows.set(key, window);
      }
      window.note(this.#options.now());
    }
  }

  leave(): void {}

  look(key: string): { room: number; until: number } {
    if (this.#lookups.has(key)) return { room: 0, until: Infinity };
    const now = this.#options.now();
    const window = this.#windows.get(key);
    const free = window === undefined || this.#options.confirmed.trusts(key.slice(HOST.length));
    return free
      ? { room: Infinity, until: now }
      : { room: window.room(now), until: window.freeAt(now) };
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
      if (confirmed.add(host, address)) this.#options.wake(HOST + host);
    } else if (category === "address_unconfirmed") confirmed.doubt(host);
    // Its other addresses must have their turn when those that are confirmed are gone.
    else if (!sent && category !== null && UNREACHABLE.has(category)) confirmed.forget(host);
  }

  /** For a ping, which nobody queues: false when its turn does not come soon. */
  async turn(webhook: SendableWebhook): Promise<boolean> {
    const end = this.#options.now() + PATIENCE_MS;
    for (;;) {
      const wait = this.wait(webhook);
      if (wait === null) {
        this.enter(webhook);
        return true;
      }
      const now = this.#options.now();
      if (now > end || (wait.until !== Infinity && wait.until > end)) return false;
      const ms = wait.until === Infinity ? LOOK_MS : Math.max(1, wait.until - now);
      await new Promise((resolve) => setTimeout(resolve, ms));
    }
  }

  #lookUp(url: string, host: string): GateWait {
    const key = LOOKUP + host;
    const wait = { gate: this, key, until: Infinity };
    if (this.#lookups.has(key)) return wait;
    this.#lookups.add(key);
    const done = (): void => {
      this.#lookups.delete(key);
      this.#options.wake(key);
    };
    // Where it leads, or that it leads nowhere, is known to the resolver now.
    void this.#options.resolver.resolve(bareHost(new URL(url))).then(done, done);
    return wait;
  }

  /**
   * The windows it has to pass; undefined: its name has to be resolved first. None: there is nobody to protect, or its
   * name leads nowhere, which its dial will tell.
   */
  #keysOf(url: string, host: string): string[] | undefined {
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
    return [HOST + host, ...foreign.map((address) => `address:${address}`)];
  }
}

/** No connection came about. */
const UNREACHABLE: ReadonlySet<FailureCategory> = new Set([
  "connection_refused",
  "connection_failed",
  "connection_reset",
  "timeout",
]);

const HOST = "host:";
const LOOKUP = "lookup:";
const LOOK_MS = 20;
