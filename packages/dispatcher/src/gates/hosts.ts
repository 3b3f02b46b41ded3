import type { HostStore, SendableWebhook } from "@markethook/store";
import type { Place } from "../queue/place.ts";
import type { Gate } from "./gate.ts";
import type { AllowList } from "../guard/allow-list.ts";
import type { CachingResolver } from "../guard/resolver.ts";
import type { Observer } from "../wiring/observer.ts";
import type { JudgedResult } from "../send/signed-exchange.ts";
import { createConfirmedHosts } from "./confirmed-hosts.ts";
import { HostGate } from "./host-gate.ts";

/** What the dispatcher knows about hosts: the ones that have answered well, and the gate for the others. */
export interface Hosts {
  gates: readonly Gate[];
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Call when a request's turn has come. Returns the test for addresses to which it may go. */
  reach(webhook: SendableWebhook): (address: string) => boolean;
  /** Learns from the result of a request. */
  note(webhook: SendableWebhook, result: JudgedResult): void;
  /** For a ping: returns false when it would have to wait for long. */
  turn(webhook: SendableWebhook): Promise<boolean>;
}

const NO_LIMIT: Hosts = {
  gates: [],
  start: async () => {},
  stop: async () => {},
  reach: () => () => true,
  note: () => {},
  turn: async () => true,
};

export function createHosts(options: {
  store: HostStore;
  places: { resolver: CachingResolver; allow: AllowList } | undefined;
  /** Limit of all instances together. */
  perSecond: number;
  /** Counts the instances that are alive, this one included, every `everyMs`. Null: this is the only one. */
  instances: { count(): Promise<number>; everyMs: number } | null;
  now: () => number;
  wake(place: Place): void;
  observer: Observer;
}): Hosts {
  const { places, perSecond, now, observer } = options;
  if (places === undefined) return NO_LIMIT;
  const confirmed = createConfirmedHosts({
    store: options.store,
    fault: (where, error) => observer.fault(where, error),
  });
  const share = createShare(options.instances, now, observer);
  const gate = new HostGate({
    ...places,
    confirmed,
    perSecond: () => share.of(perSecond),
    now,
    wake: (place) => options.wake(place),
  });
  return {
    gates: [gate],
    async start() {
      share.start();
      await confirmed.start();
    },
    async stop() {
      share.stop();
      await confirmed.stop();
    },
    reach: (webhook) => gate.reach(webhook),
    note: (webhook, result) => gate.note(webhook.host, result),
    turn: (webhook) => gate.turn(webhook),
  };
}

/** A count holds for this many of its intervals: the others drop an instance that is silent for longer. */
const COUNT_HOLDS_FOR = 3;
/** Requests per second. */
const ALMOST_NOTHING = 1;

/**
 * Divides the limit among the instances. An instance that is new, or could not count for some time, takes almost nothing:
 * the others may have divided the limit without it. When it has counted twice, they have counted it too.
 */
function createShare(
  counted: { count(): Promise<number>; everyMs: number } | null,
  now: () => number,
  observer: Observer,
): { of(perSecond: number): number; start(): void; stop(): void } {
  let instances = 1;
  let foundBefore = Infinity;
  let countedAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  const holds = (): boolean => now() - countedAt <= (counted?.everyMs ?? 0) * COUNT_HOLDS_FOR;
  return {
    of(perSecond) {
      if (counted === null) return perSecond;
      return holds() && instances !== Infinity ? perSecond / instances : ALMOST_NOTHING;
    },
    start() {
      if (counted === null) return;
      timer = setInterval(() => {
        const askedAt = now();
        counted.count().then(
          (found) => {
            const isSecond = holds();
            instances = found <= 1 ? 1 : Math.max(found, isSecond ? foundBefore : Infinity);
            foundBefore = found;
            countedAt = askedAt;
          },
          (error: unknown) => observer.fault("count instances", error),
        );
      }, counted.everyMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}
