import type { HostStore, SendableWebhook } from "@markethook/store";
import type { Gate } from "../gate.ts";
import type { AllowList } from "../guard/allow-list.ts";
import type { CachingResolver } from "../guard/resolver.ts";
import type { Observer } from "../observer.ts";
import { createConfirmedHosts } from "./confirmed-hosts.ts";
import { HostGate } from "./host-gate.ts";

/** What the dispatcher knows of hosts: who has ever answered well, and the gate before those who have not. */
export interface Hosts {
  gates: readonly Gate[];
  start(): Promise<void>;
  stop(): Promise<void>;
  /** It answered 2xx. */
  confirm(host: string): void;
  /** For a ping: false when it would have to wait for long. */
  turn(webhook: SendableWebhook): Promise<boolean>;
}

const NO_LIMIT: Hosts = {
  gates: [],
  start: async () => {},
  stop: async () => {},
  confirm: () => {},
  turn: async () => true,
};

export function createHosts(options: {
  store: HostStore;
  places: { resolver: CachingResolver; allow: AllowList } | undefined;
  perSecond: number;
  now: () => number;
  wake(key: string): void;
  observer: Observer;
}): Hosts {
  const { places, perSecond, now, observer } = options;
  if (places === undefined) return NO_LIMIT;
  const confirmed = createConfirmedHosts({
    store: options.store,
    fault: (where, error) => observer.fault(where, error),
  });
  const gate = new HostGate({
    ...places,
    confirmed,
    perSecond,
    now,
    wake: (key) => options.wake(key),
  });
  return {
    gates: [gate],
    start: () => confirmed.start(),
    stop: () => confirmed.stop(),
    confirm: (host) => gate.confirm(host),
    turn: (webhook) => gate.turn(webhook),
  };
}
