import { isIP } from "node:net";
import type { SendableWebhook } from "@markethook/store";
import { LRUCache } from "lru-cache";
import type { Gate, GateWait } from "../gate.ts";
import type { AllowList } from "../guard/allow-list.ts";
import type { Resolver } from "../guard/resolver.ts";
import { bareHost, portOf } from "../guard/url-rules.ts";
import { hostKey } from "../lane.ts";
import type { ConfirmedHosts } from "./confirmed-hosts.ts";
import { RateWindow } from "./rate-window.ts";

export interface HostGateOptions {
  confirmed: ConfirmedHosts;
  resolver: Resolver;
  /** An operator's own receivers are nobody's victims. */
  allow: AllowList;
  /** To a host, and to an address, that never answered 2xx. */
  perSecond: number;
  /** Monotonic milliseconds. */
  now: () => number;
  /** The gate has room again for what waits under this key. */
  wake(key: string): void;
}

/** Where a host's requests go, as far as it matters here. */
interface Place {
  /** Empty: nobody's to protect, or not to be found, which its dial will tell. */
  addresses: readonly string[];
  readAt: number;
}

const REMEMBERED = 10_000;
/** As long as the resolver keeps an answer that wants not to be kept. */
const PLACE_MS = 1000;
const PATIENCE_MS = 5000;

/**
 * Against being used to flood somebody who never asked for it: a host that has not answered 2xx yet gets few requests
 * in a second, however many webhooks and owners point there; so does an address, since names cost nothing.
 *
 * confirmed host, chat -> goes
 * unknown place        -> waits until its name is resolved (the dial then has the same answer from the cache)
 * window full          -> waits, by host or by address
 */
export class HostGate implements Gate {
  readonly #options: HostGateOptions;
  readonly #places = new LRUCache<string, Place>({ max: REMEMBERED });
  readonly #windows = new LRUCache<string, RateWindow>({ max: REMEMBERED });
  readonly #lookups = new Set<string>();

  constructor(options: HostGateOptions) {
    this.#options = options;
  }

  wait(webhook: SendableWebhook): GateWait | null {
    // A chat's platform is well known, and has a pace of its own.
    if (webhook.chat !== null) return null;
    const host = hostKey(webhook);
    if (this.#options.confirmed.has(host)) return null;
    const now = this.#options.now();
    const place = this.#places.get(host);
    if (place === undefined || now - place.readAt > PLACE_MS) {
      return this.#lookUp(webhook.url, host);
    }
    return this.#waitAtWindows(host, place);
  }

  enter(webhook: SendableWebhook): void {
    if (webhook.chat !== null) return;
    const host = hostKey(webhook);
    const place = this.#places.get(host);
    if (place === undefined || this.#options.confirmed.has(host)) return;
    for (const key of keysOf(host, place)) {
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
    const free = window === undefined || this.#options.confirmed.has(key.slice(HOST.length));
    return free
      ? { room: Infinity, until: now }
      : { room: window.room(now), until: window.freeAt(now) };
  }

  /** It answered 2xx: from now on it has its caps only. */
  confirm(host: string): void {
    if (this.#options.confirmed.add(host)) this.#options.wake(HOST + host);
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

  #lookUp(url: string, host: string): GateWait | null {
    const key = LOOKUP + host;
    if (this.#lookups.has(key)) return { gate: this, key, until: Infinity };
    const { allow, resolver, now } = this.#options;
    const parsed = URL.canParse(url) ? new URL(url) : null;
    const name = parsed === null ? "" : bareHost(parsed);
    const port = parsed === null ? 0 : portOf(parsed);
    const remember = (addresses: readonly string[]): Place => {
      const foreign = addresses.filter((address) => !allow.allows(address, port));
      const place = { addresses: foreign, readAt: now() };
      this.#places.set(host, place);
      return place;
    };
    if (parsed === null || isIP(name) !== 0) {
      return this.#waitAtWindows(host, remember(parsed === null ? [] : [name]));
    }
    this.#lookups.add(key);
    void resolver
      .resolve(name)
      .then(remember, () => remember([]))
      .finally(() => {
        this.#lookups.delete(key);
        this.#options.wake(key);
      });
    return { gate: this, key, until: Infinity };
  }

  #waitAtWindows(host: string, place: Place): GateWait | null {
    const now = this.#options.now();
    for (const key of keysOf(host, place)) {
      const until = this.#windows.get(key)?.freeAt(now) ?? now;
      if (until > now) return { gate: this, key, until };
    }
    return null;
  }
}

const HOST = "host:";
const LOOKUP = "lookup:";
const LOOK_MS = 20;

function keysOf(host: string, { addresses }: Place): string[] {
  if (addresses.length === 0) return [];
  return [HOST + host, ...addresses.map((address) => `address:${address}`)];
}
