import { NO_REPLIES } from "../port/attempt-counts.ts";
import type { Store } from "../port/store.ts";
import { event, fileVersion, keyed, update } from "../conformance/reports.ts";
import { delivered, retried, settled } from "../conformance/settlements.ts";
import { World } from "../conformance/world.ts";

const HOUR_MS = 3_600_000;
const MONTH_MS = 30 * 24 * HOUR_MS;

export interface Filled {
  resourceId: string;
  ownerId: string;
  webhookId: string;
  /** A user whose purchases wait in order, and one who has downloaded. */
  waiting: number;
  downloaded: number;
  /** Of an instance that did not stop: one of its deliveries is leased. */
  instanceNo: number;
}

/** For a move: uses the store so that each of its tables has rows, on SQLite those of new keys, too. */
export async function fillEveryTable(store: Store): Promise<Filled> {
  // Of the harness this uses the store alone.
  const w = new World({ store } as unknown as World["harness"]);
  const shop = await w.shop(2);
  const [hook, other] = shop.hooks;
  if (hook === undefined || other === undefined) throw new Error("there are two webhooks");
  await store.log.ensureProfile({ serviceName: "Größe", userAgent: "test" });
  await store.apiKeys.create({
    id: "key_1",
    name: "n",
    scopes: ["admin"],
    hash: "h",
    expiresAt: null,
  });
  await store.portalSessions.create({
    id: "session",
    ownerId: shop.ownerId,
    resourceId: shop.id,
    returnUrl: "https://market.example/back",
    revealsSecrets: true,
    codeHash: "c",
    codeLifetimeMs: HOUR_MS,
    lifetimeMs: HOUR_MS,
    longestMs: HOUR_MS,
  });
  const sold = await w.resource();
  await store.resources.put([{ ...sold, ownerId: "another", title: "Ünï 🎉", subtitle: "" }]);
  await store.hosts.confirm([{ host: "a.example", address: "203.0.113.1" }]);
  await countAttempts(store, hook.no);

  // The next generation begins, so this key lies in the one before. Those of later events are new keys.
  await w.accept([event(shop.id, "purchase", 1, keyed("old"))]);
  await store.maintenance.prune(MONTH_MS, HOUR_MS, 10);
  const instanceNo = await w.instanceNo("stopped");
  const downloaded = w.user();
  await w.accept([
    event(shop.id, "download", downloaded, { ...keyed("first"), details: '{"buyerName":"Ada"}' }),
    update(shop.id, fileVersion("2"), { previous: fileVersion("1"), ...keyed("update") }),
  ]);
  const claimed = await w.claimAll(instanceNo);
  const ofHook = claimed.filter(({ webhookNo }) => webhookNo === hook.no);
  const [one, two, ...three] = ofHook;
  if (one === undefined || two === undefined || three.length === 0)
    throw new Error(`only ${ofHook.length} deliveries were claimed`);
  await w.settle(instanceNo, [
    settled(one, { kind: "end", state: "dead", reason: "attempts_exhausted" }, {}, FAILED),
    ...three.map((delivery) => retried(delivery, HOUR_MS)),
    ...claimed
      .filter(({ webhookNo }) => webhookNo === other.no)
      .map((delivery) => retried(delivery, HOUR_MS)),
  ]);
  // A success after failures: what waits is pulled forward, step by step.
  const message = { userId: 1, messageId: "m" };
  await w.settle(instanceNo, [{ ...delivered(two), health: { kind: "ok" }, chatMessage: message }]);
  const waiting = w.user();
  await w.accept([1, 2, 3].map((n) => event(shop.id, "purchase", waiting, keyed(`wait-${n}`))));
  const hooked = await w.shop();
  const begun = await w.acceptOne(hooked.id, instanceNo);
  await store.deliveries.markStarted(instanceNo, [begun]);
  return {
    resourceId: shop.id,
    ownerId: shop.ownerId,
    webhookId: hook.id,
    waiting,
    downloaded,
    instanceNo,
  };
}

const FAILED = { kind: "failed", badRequest: false } as const;

async function countAttempts(store: Store, webhookNo: number): Promise<void> {
  const hour = Math.floor((await store.maintenance.now()) / HOUR_MS);
  for (const age of [100, 1, 0]) {
    const lastAt = (hour - age) * HOUR_MS;
    const last = { lastAt, lastOutcome: "ok", lastStatus: 200, lastOkAt: lastAt, okEvents: 3 };
    const counted = { ok: 1, failed: 2, givenUp: 1, replies: NO_REPLIES.map((_, at) => at) };
    await store.attemptCounts.add([{ webhookNo, hour: hour - age, ...counted, ...last }]);
  }
}
