import type { HostStore, SendableWebhook } from "@markethook/store";
import type { Place } from "../queue/place.ts";
import type { Gate } from "./gate.ts";
import type { AllowList } from "../guard/allow-list.ts";
import type { CachingResolver } from "../guard/resolver.ts";
import type { Observer } from "../wiring/observer.ts";
import type { JudgedResult } from "../send/signed-exchange.ts";
import { createConfirmedHosts } from "./confirmed-hosts.ts";
import { HostGate } from "./host-gate.ts";
import type { InstanceCount } from "./instance-count.ts";

/** The dispatcher's knowledge about hosts: the ones that have answered well, and the gate for the others. */
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
  instances: Pick<InstanceCount, "partOf">;
  now: () => number;
  wake(place: Place): void;
  observer: Observer;
}): Hosts {
  const { places, perSecond, instances, now, observer } = options;
  if (places === undefined) return NO_LIMIT;
  const confirmed = createConfirmedHosts({
    store: options.store,
    fault: (where, error) => observer.fault(where, error),
  });
  const gate = new HostGate({
    ...places,
    confirmed,
    perSecond: () => instances.partOf(perSecond),
    now,
    wake: (place) => options.wake(place),
  });
  return {
    gates: [gate],
    start: () => confirmed.start(),
    stop: () => confirmed.stop(),
    reach: (webhook) => gate.reach(webhook),
    note: (webhook, result) => gate.note(webhook.host, result),
    turn: (webhook) => gate.turn(webhook),
  };
}
