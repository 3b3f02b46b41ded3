import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { makeRandomId, makeSecret, makeTag } from "@markethook/protocol";
import {
  type AcceptItem,
  type DeliveryDetail,
  type DeliverySummary,
  openPostgres,
  openSqlite,
  type SqliteStore,
  type Store,
  type Webhook,
  type WebhookInput,
} from "@markethook/store";
import { createMigratedDatabase } from "@markethook/store/testing";
import { createDispatcher, type Dispatcher } from "../dispatcher.ts";
import type { DispatcherOptions } from "../dispatcher-options.ts";
import { testSender } from "../../send/testing/test-sender.ts";
import { DEFAULT_SETTINGS, type DispatcherSettings } from "../settings.ts";
import { createRecorder, type Recorder } from "./recorder.ts";

/** No process stands still for so long. Tests about leases set shorter ones. */
const LEASE_MS = 3_600_000;
const OPEN = { baseUrl: "https://market.example", masterKeys: [Buffer.alloc(32, 7)] };

interface Instance {
  dispatcher: Dispatcher;
  seen: Recorder;
  /** From now on no heartbeat of this instance arrives, and its instance does not end: as if it had been killed. */
  stopHeart(): void;
}

/** A store of its own with a resource in it, and dispatchers over it. All closed with the test. */
export interface World<S extends Store = Store> {
  store: S;
  ownerId: string;
  resourceId: string;
  /** Started, unless told otherwise; short retries and polls, real sockets. */
  instance(options?: InstanceOptions): Promise<Instance>;
  webhook(url: string, change?: Partial<WebhookInput>): Promise<Webhook>;
  purchase(userId?: number, resourceId?: string): AcceptItem;
  refund(userId: number): AcceptItem;
  update(id: string, description?: string): AcceptItem;
  deliveries(webhookId?: string): Promise<DeliverySummary[]>;
  /** Waits for the store's own word, looked up after each settled batch. */
  settledAs(seen: Recorder, state: DeliverySummary["state"], count: number): Promise<void>;
  details(summary: DeliverySummary): Promise<DeliveryDetail>;
}

interface InstanceOptions {
  settings?: Partial<DispatcherSettings>;
  /** Instead of the world's own, e.g. with faults in it. */
  store?: Store;
  clocks?: Partial<Pick<DispatcherOptions, "now" | "wallNow" | "random">>;
  start?: boolean;
  sender?: DispatcherOptions["sender"];
  /** Hosts that never answered well are limited. */
  places?: DispatcherOptions["places"];
  dryRun?: DispatcherOptions["dryRun"];
}

export async function sqliteWorld(t: TestContext): Promise<World<SqliteStore>> {
  const folder = mkdtempSync(join(tmpdir(), "markethook-dispatcher-"));
  const store = await openSqlite({ ...OPEN, folder });
  return await makeWorld(t, store, async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
}

/** `another` opens the same database once more, as another process would. */
export async function postgresWorld(
  t: TestContext,
): Promise<World & { another(): Promise<Store>; url: string }> {
  const database = await createMigratedDatabase();
  const opened: Store[] = [];
  const another = async (): Promise<Store> => {
    const store = await openPostgres({ ...OPEN, url: database.url });
    opened.push(store);
    return store;
  };
  const world = await makeWorld(t, await another(), async () => {
    await Promise.all(opened.map((store) => store.close()));
    await database.drop();
  });
  return { ...world, another, url: database.url };
}

async function makeWorld<S extends Store>(
  t: TestContext,
  store: S,
  close: () => Promise<void>,
): Promise<World<S>> {
  const stops: (() => Promise<unknown>)[] = [];
  t.after(async () => {
    // In turn: each gives back what it holds. One that was stopped or hurt by its test may refuse.
    for (const stop of stops.reverse()) await stop().catch(() => undefined);
    await close();
  });
  const ownerId = "owner-1";
  const resourceId = "castle";
  await store.resources.put([{ id: resourceId, ownerId, title: "Castle", subtitle: "A map" }]);

  const item = (change: Pick<AcceptItem, "name"> & Partial<AcceptItem>): AcceptItem => ({
    resourceId,
    time: 1_700_000_000,
    tag: makeTag(randomBytes),
    ...change,
  });
  const deliveries = async (webhookId?: string): Promise<DeliverySummary[]> => {
    const filter = webhookId === undefined ? { ownerId: null } : { ownerId: null, webhookId };
    return (await store.log.list(filter, { beforeSeq: null, limit: 500 })).items;
  };
  let users = 1000;

  return {
    store,
    ownerId,
    resourceId,
    deliveries,
    webhook: (url, change) =>
      store.webhooks.create(
        {
          id: makeRandomId("wh_", randomBytes),
          resourceId,
          url,
          format: "json",
          events: null,
          description: "",
          secret: makeSecret(randomBytes),
          ...change,
        },
        null,
      ),
    purchase: (userId = ++users, of = resourceId) =>
      item({ name: "product.user.purchase", userId, resourceId: of }),
    refund: (userId) => item({ name: "product.user.purchaseRemoved", userId }),
    update: (id, description = "") =>
      item({
        name: "product.update",
        update: {
          version: "1.1",
          id,
          time: 1_700_000_000,
          size: "1",
          fileType: "zip",
          branch: "release",
          title: "Better",
          description,
        },
      }),
    async settledAs(seen, state, count) {
      for (let batches = seen.of("settled").length; ; batches += 1) {
        const found = (await deliveries()).filter((one) => one.state === state);
        if (found.length >= count) return;
        await seen.seen("settled", batches + 1);
      }
    },
    async details(summary) {
      const found = await store.log.find(summary.deliveryId, null);
      assert.ok(found);
      return found;
    },
    async instance(options = {}) {
      const seen = createRecorder();
      const given = options.store ?? store;
      const sender = options.sender ?? testSender(t);
      let beats = true;
      const dispatcher = await createDispatcher({
        store: {
          ...given,
          instances: {
            ...given.instances,
            renew: (instanceNo, networkSuspected) =>
              beats ? given.instances.renew(instanceNo, networkSuspected) : new Promise(() => {}),
            end: (instanceNo) => (beats ? given.instances.end(instanceNo) : Promise.resolve(0)),
          },
        },
        sender,
        settings: {
          ...DEFAULT_SETTINGS,
          instanceName: `instance-${stops.length}`,
          version: "1",
          serviceName: "Service",
          userAgent: "Markethook/test",
          publicUrl: "https://hooks.market.example",
          baseUrl: OPEN.baseUrl,
          schedule: [20, 20, 20],
          pollMs: 20,
          leaseMs: LEASE_MS,
          probeEveryMs: 50,
          ...options.settings,
        },
        ...(options.places === undefined ? {} : { places: options.places }),
        observer: seen,
        ...(options.dryRun === undefined ? {} : { dryRun: options.dryRun }),
        now: () => performance.now(),
        wallNow: () => Date.now(),
        random: () => 0.5,
        randomBytes,
        ...options.clocks,
      });
      let stopped = false;
      const stop = dispatcher.stop;
      stops.push(async () => {
        // What a test left open would be waited for.
        sender.close();
        if (!stopped) await stop();
      });
      const wrapped: Dispatcher = {
        ...dispatcher,
        async stop() {
          stopped = true;
          return await stop();
        },
      };
      if (options.start !== false) await wrapped.start();
      return {
        dispatcher: wrapped,
        seen,
        stopHeart() {
          beats = false;
        },
      };
    },
  };
}
