import type { OrderPair, Store, StoreHint } from "@markethook/store";
import { createAccept } from "../../packages/store/src/accept-events.ts";
import type { Backend } from "./backend.ts";
import type { Database } from "./database.ts";
import { NO_ENCRYPTION } from "./no-encryption.ts";

const DEDUPE_SECRET = Buffer.alloc(32, 7);

export interface Heard {
  listens(listener: (hint: StoreHint) => void): void;
  tells(hint: StoreHint): void;
  instanceStarted(instanceNo: number): void;
  /** A message about this event has passed its gate. */
  chatBegan(eventSeq: number): void;
  /** Results of these deliveries came when the instance had ended. */
  refusedAfterItsEnd(seqs: readonly number[]): void;
}

interface StoreParts {
  database: Database;
  backend: Backend;
  /** Addresses that answered well, by host. */
  confirmed: Map<string, string>;
}

/** The database as one instance sees it. Only what the sending side uses. */
export function instanceStore(
  { database, backend, confirmed }: StoreParts,
  exclusive: boolean,
  heard: Heard,
): Store {
  const { trace } = database;
  const resources = {
    put: () => Promise.reject(new Error("nothing changes hands here")),
  } as unknown as Parameters<typeof createAccept>[1]; // Only `put` is ever called.
  const tellBlocked = <Outcome extends { blocked: OrderPair[] }>(outcome: Outcome): Outcome => {
    if (outcome.blocked.length > 0) heard.tells({ kind: "blocked", pairs: outcome.blocked });
    return outcome;
  };
  const accept = createAccept(
    (items, budget) =>
      database.call("accept", async () => {
        const outcome = await backend.accept(items, budget);
        trace(`accepted ${JSON.stringify(outcome.results)} ${outcome.preLeased.length}`);
        return outcome;
      }),
    resources,
    { dedupeSecret: DEDUPE_SECRET, encryption: NO_ENCRYPTION },
  );
  const deliveries: Store["deliveries"] = {
    claim: (request) =>
      database
        .call("claim", () => {
          const outcome = backend.claim(request);
          if (outcome.deliveries.length > 0) {
            const seqs = outcome.deliveries.map(({ seq, lease }) => `${seq}/${lease}`);
            trace(`claimed ${request.instanceNo}: ${seqs.join(" ")}`);
          }
          return outcome;
        })
        .then(tellBlocked),
    claimProbes: (instanceNo, limit, everyMs) =>
      database.call("claimProbes", () => backend.claimProbes(instanceNo, limit, everyMs)),
    settle: (instanceNo, settlements, rule) =>
      database.call("settle", async () => {
        const outcome = await backend.settle(instanceNo, settlements, rule);
        const of = settlements.map(({ seq, next }) => `${seq}:${next.kind}`);
        trace(`settled ${instanceNo}: ${of.join(" ")}; refused ${outcome.refused.join(" ")}`);
        if (outcome.refused.length > 0 && !backend.hasInstance(instanceNo)) {
          heard.refusedAfterItsEnd(outcome.refused);
        }
        return outcome;
      }),
    markStarted: (instanceNo, leases) =>
      database.call("markStarted", () => backend.markStarted(instanceNo, leases)),
    rescue: (silent) =>
      database.call("rescue", () => {
        const outcome = backend.rescue(silent);
        if (outcome.rescued > 0) trace(`rescued: ${JSON.stringify(outcome)}`);
        return outcome;
      }),
    releaseForgotten: (instanceNo, held) =>
      database.call("releaseForgotten", () => {
        const released = backend.releaseForgotten(instanceNo, held);
        if (released > 0) trace(`released ${instanceNo}: ${released}`);
        return released;
      }),
    cancelMarked: (limit) => database.call("cancelMarked", () => backend.cancelMarked(limit)),
    pullForward: () => Promise.resolve(0),
    oldestDue: () => Promise.reject(new Error("nobody asks here")),
  };
  const store = {
    kind: exclusive ? "sqlite" : "postgres",
    exclusive,
    events: {
      async accept(items: Parameters<typeof accept>[0], budget: Parameters<typeof accept>[1]) {
        const outcome = tellBlocked(await accept(items, budget));
        if (outcome.claimable > 0) heard.tells({ kind: "ready" });
        return outcome;
      },
    },
    deliveries,
    log: { ensureProfile: () => database.call("ensureProfile", () => 1) },
    instances: {
      start: (name: string, version: string, survived: number | null = null) =>
        database.call("start", () => {
          const started = backend.startInstance(name, version, survived);
          heard.instanceStarted(started.instanceNo);
          trace(`started ${name} ${started.instanceNo} ${JSON.stringify(started.givenBack)}`);
          return started;
        }),
      renew: (instanceNo: number, networkSuspected: boolean) =>
        database.call("renew", () => backend.renewInstance(instanceNo, networkSuspected)),
      end: (instanceNo: number) => database.call("end", () => backend.endInstance(instanceNo)),
      list: () => database.call("list", () => backend.instances()),
    },
    webhooks: {
      forSending: (nos: readonly number[]) =>
        database.call("forSending", () => backend.forSending(nos)),
    },
    hosts: {
      confirmed: () =>
        database.call("confirmed", () =>
          Array.from(confirmed, ([host, address]) => ({ host, address })),
        ),
      confirm: (addresses: readonly { host: string; address: string }[]) =>
        database.call("confirm", () => {
          for (const { host, address } of addresses) confirmed.set(host, address);
        }),
    },
    maintenance: {
      prune: () => Promise.resolve(0),
      tellGivenUp: () => Promise.resolve(0),
      followClock: async () => ({ moved: 0, byMs: 0 }),
    },
    chat: {
      // A message says which event it is of, see `CHAT_OPTIONS`.
      context({ eventSeq }: { eventSeq: number }) {
        heard.chatBegan(eventSeq);
        return database.call("context", () => ({
          details: JSON.stringify({ orderId: String(eventSeq) }),
          sale: null,
        }));
      },
      notePaused: () => database.call("notePaused", () => undefined),
    },
    onHint: (listener: (hint: StoreHint) => void) => heard.listens(listener),
  };
  return store as unknown as Store; // The sending side uses nothing else of it.
}
