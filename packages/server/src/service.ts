import { createHmac, randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type ConnectionLimits, createApp } from "@markethook/api";
import { dialledUrl } from "@markethook/chat";
import {
  checkTarget,
  createResolver,
  type Dispatcher,
  type PingResult,
} from "@markethook/dispatcher";
import { createRandomPool } from "@markethook/protocol";
import { masterKeyId, type Store } from "@markethook/store";
import { openStore } from "./database.ts";
import { createAcceptHealth } from "./health/accept-health.ts";
import { createReadiness } from "./health/readiness.ts";
import { makeFirstKey, storeGivenKey } from "./keys/first-key.ts";
import { readMasterKeys } from "./keys/master-key.ts";
import { warnOfOtherSettings, warnOfPooler } from "./log/start-warnings.ts";
import type { Logging } from "./log/logger.ts";
import { watchClock } from "./log/watch-clock.ts";
import { createNoticePosting } from "./notice-posting.ts";
import { createObserving } from "./observing.ts";
import { findPageFolder } from "./pages/built-files.ts";
import { createPageServer } from "./pages/serve-pages.ts";
import { closeApp, type HttpApp, listen, listeningAt } from "./process/http-app.ts";
import { watchFiles } from "./process/watch-files.ts";
import { verifyRequest } from "./receivers/verify-request.ts";
import { createSending, guardOf } from "./sending.ts";
import type { Config } from "./settings/config-schema.ts";
import { sharedSettings } from "./settings/shared-settings.ts";
import { VERSION } from "./version.ts";

export interface Service {
  /** The address at which it listens, e.g. `http://127.0.0.1:8080`. */
  address: string;
  store: Store;
  /** No key had been stored in the database, so nothing else had. */
  isNew: boolean;
  /** A key that was just made; it is shown once. */
  newKey: string | null;
  /** After the delay that is set takes nothing new, ends open work, gives back the rest. */
  stop(): Promise<{ released: number }>;
}

/** The author of the first key. */
const STARTED = { kind: "command_line", id: null, name: "serve", requestId: null } as const;

const DEAD_KEY =
  "the key in MARKETHOOK_API_KEY was revoked or has expired and stays so: make another one with `markethook make-key`";

const LOCKED =
  "the start waits for a lock in PostgreSQL that other sessions hold, and goes on when they have ended";

/** The composition root: the only place that imports every package. */
export async function startService(
  config: Config,
  baseUrl: string,
  logging: Logging,
  /** Replaces making a first key. */
  givenKey: () => string | null = () => config.apiKey,
  /** True: pages say that this is not for production. */
  development = false,
): Promise<Service> {
  const { logger } = logging;
  const masterKeys = readMasterKeys(config);
  const store = await openStore(config, baseUrl, masterKeys.keys, (holders) =>
    logger.warn({ holders }, LOCKED),
  ).catch((error: unknown) => {
    throw masterKeys.refused(error);
  });
  const closers: (() => Promise<unknown>)[] = [() => store.close()];
  const closeAll = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    masterKeys.confirm();
    closers.push(await watchClock(store, Date.now, logger));
    await warnOfOtherSettings(store, sharedSettings(config, baseUrl, store.exclusive), logger);
    await warnOfPooler(config, logger);
    const random = createRandomPool((size) => randomBytes(size));
    const now = (): number => performance.now();
    const startedAt = now();
    const guard = guardOf(config);
    const resolver = createResolver({ now });
    const notices = createNoticePosting({
      config,
      baseUrl,
      store,
      resolver,
      now,
      randomBytes: random,
      logger,
      fault: (where, error) => observer.fault(where, error),
    });
    const { observer, metrics, figures, recent, recorder } = createObserving({
      store,
      notices,
      dispatcher: () => dispatcher,
      app: () => app,
      now,
      logger,
    });
    closers.push(() => recorder.stop());
    closers.push(
      watchFiles({
        usedUp: (error) => observer.fault("open a file", error),
        free: () => logger.info("files and connections can be opened again"),
      }),
    );
    const accepts = createAcceptHealth(now);
    const dispatcher: Dispatcher = await createSending({
      config,
      baseUrl,
      store: { ...store, events: { ...store.events, accept: accepts.watch(store.events.accept) } },
      resolver,
      observer,
      now,
      randomBytes: random,
    });
    const remarks = remarksOnMode(config, development);
    let isStopping = false;
    const readiness = createReadiness({
      store,
      dispatcher,
      accepts,
      now,
      remarks,
      isStopping: () => isStopping,
    });
    const noted = (ping: PingResult) => {
      recorder.notePing(ping.webhookNo, ping);
      return ping;
    };
    // Kept, because a server that is being closed has none.
    let address = "";
    const app: HttpApp = await createApp({
      store,
      retentionMs: config.retention,
      attemptCounts: recorder,
      accept: dispatcher.accept,
      async ping(webhookId, ownerId, secret) {
        return noted(await dispatcher.ping(webhookId, ownerId, secret));
      },
      mayGo: dispatcher.mayGo,
      sendSample: dispatcher.sendSample,
      async checkWebhook(webhookId, ownerId) {
        const checked = await dispatcher.checkWebhook(webhookId, ownerId, () => isStopping);
        const { ping, ...checkup } = checked;
        return { ...checkup, ping: noted(ping) };
      },
      verify: (input) => verifyRequest(input, config.serviceName),
      operator: async () => ({
        oldestDueSeconds: ((await figures.latest()).value?.oldestDueMs ?? 0) / 1000,
        deliveriesPerSecond: recent.deliveriesPerSecond(),
        attempts: recent.byHost(),
        leaseMs: config.lease,
        uptimeSeconds: Math.floor((now() - startedAt) / 1000),
        masterKeyIds: masterKeys.keys.map(masterKeyId),
        noticePosts: await notices.view(),
      }),
      publicUrl: () => config.publicUrl ?? address,
      securityContact: config.securityContact,
      development,
      dryRun: config.dryRun,
      allowTargets: config.allowTargets.entries,
      disableAfterMs: config.disableAfter,
      servePages: createPageServer({
        folder: findPageFolder(),
        embedOrigins: config.embedOrigins,
        entryUrl: config.portalEntryUrl,
      }),
      async checkTarget(url) {
        // The judged addresses are the ones that will be dialled.
        const dialled = dialledUrl(url, config.chatOrigins);
        return await checkTarget(dialled, { ...guard, resolver });
      },
      wake: dispatcher.wake,
      nowSeconds: () => Math.floor(Date.now() / 1000),
      nowMs: Date.now,
      elapsedMs: now,
      connections: connectionLimits(config),
      bodyBytes: config.clientBodySize * 1024 * 1024,
      keyRate: config.keyRate,
      ownerLimits: {
        pings: config.ownerPings,
        sends: config.ownerSends,
        checkups: config.ownerCheckups,
        urlChecks: config.ownerUrlChecks,
        bulkActions: config.ownerBulkActions,
        changes: config.ownerChanges,
      },
      connectionCut: metrics.connectionCut,
      randomBytes: random,
      metrics: () => metrics.text(),
      readiness,
      isStopping: () => isStopping,
      serviceName: config.serviceName,
      baseUrl,
      version: VERSION,
      // Derived from the master key, so that all instances have the same without storing it.
      cursorKey: createHmac("sha256", masterKeys.keys[0] ?? "")
        .update("markethook cursors")
        .digest(),
      trustProxy: config.trustProxy,
      logger,
      fault: (where, error) => observer.fault(where, error),
    });
    const { apiKeys } = store.actingAs(STARTED);
    const isNew = (await apiKeys.list()).length === 0;
    const given = givenKey();
    // Before anybody can call with it.
    if (given !== null) {
      const onDead = (keyId: string): void => logger.warn({ keyId }, DEAD_KEY);
      await storeGivenKey(apiKeys, given, randomBytes, onDead);
    }
    // Before the dispatcher starts: a port in use must not begin an instance.
    await listen(app, config);
    address = listeningAt(app);
    // When stopping, the API closes first, then the dispatcher, then the store.
    let released = 0;
    closers.push(async () => ({ released } = await dispatcher.stop()));
    closers.push(() => closeApp(app));
    await dispatcher.start();
    closers.push(() => notices.stop());
    notices.start();
    if (config.dryRun) {
      logger.warn(
        { allowTargets: config.allowTargets.entries },
        "dry run: nothing is sent, because of MARKETHOOK_DRY_RUN",
      );
    }
    // The last step: a first key is shown once, so nothing after this may fail.
    const newKey = given === null ? await makeFirstKey(apiKeys, randomBytes) : null;
    return {
      address,
      store,
      isNew,
      newKey,
      async stop() {
        isStopping = true;
        await pause(config.stopDelay);
        await closeAll();
        return { released };
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Facts that `/readyz` shows besides its checks. */
function remarksOnMode({ dryRun }: Config, development: boolean): Record<string, string> {
  return {
    ...(development ? { mode: "development" } : {}),
    ...(dryRun ? { sending: "dry run (MARKETHOOK_DRY_RUN)" } : {}),
  };
}

/** Behind a proxy all connections have one address. */
function connectionLimits(config: Config): ConnectionLimits {
  return {
    total: config.clientConnections,
    perAddress: config.clientAddressConnections ?? (config.trustProxy === false ? 1000 : 0),
    idleMs: config.clientIdleTimeout,
    unreadMs: config.clientReadTimeout,
    graceMs: config.clientCloseGrace,
  };
}
