import { availableParallelism } from "node:os";
import {
  createDispatcher,
  createDryRun,
  createSender,
  createThreadedSender,
  DEFAULT_SETTINGS,
  type Dispatcher,
  type DispatcherSettings,
  type LearningResolver,
  type Observer,
  placeOf,
  type Sender,
} from "@markethook/dispatcher";
import type { RandomBytes } from "@markethook/protocol";
import type { Store } from "@markethook/store";
import { INSTANCE_NAME } from "./log/logger.ts";
import {
  memoryLimit,
  openFileLimit,
  receiverConnections,
  senderThreads,
} from "./process/machine-limits.ts";
import type { Config } from "./settings/config-schema.ts";
import { VERSION } from "./version.ts";

interface SendingDeps {
  config: Config;
  baseUrl: string;
  store: Store;
  resolver: LearningResolver;
  observer: Observer;
  now: () => number;
  randomBytes: RandomBytes;
}

/** The dispatcher with its sender, as the settings say. */
export async function createSending(deps: SendingDeps): Promise<Dispatcher> {
  const { config, resolver, observer, now } = deps;
  return await createDispatcher({
    store: deps.store,
    sender: senderOf(deps),
    settings: dispatcherSettings(config, deps.baseUrl),
    ...(config.dryRun ? { dryRun: createDryRun({ ...guardOf(config), resolver }) } : {}),
    places: { resolver, allow: config.allowTargets },
    observer,
    now,
    wallNow: Date.now,
    random: Math.random,
    randomBytes: deps.randomBytes,
  });
}

/** Where receivers may be. */
export function guardOf(config: Config) {
  return {
    allow: config.allowTargets,
    blockedPorts: config.blockPorts,
    ownPlace: config.publicUrl === null ? null : placeOf(config.publicUrl),
  };
}

/** Sends in the main thread, or in threads of its own. */
function senderOf({ config, resolver, observer, now }: SendingDeps): Sender {
  const settings = {
    now,
    attemptTimeoutMs: config.attemptTimeout,
    egressProxy: config.egressProxy,
    maxSockets: receiverConnections(config, {
      openFiles: openFileLimit(),
      memoryBytes: memoryLimit(),
    }),
    idleMs: config.receiverIdleTimeout,
    tlsSessionBytes: config.tlsSessionSize * 1024 * 1024,
    tlsCurves: config.tlsCurves,
    ...guardOf(config),
    // In a dry run the sender itself refuses every address that the settings do not allow, independent of the queue.
    ...(config.dryRun ? { allow: { ...config.allowTargets, exclusive: true } } : {}),
  };
  const threads = senderThreads(config, availableParallelism());
  if (threads === 0) return createSender({ ...settings, resolver });
  // Each thread has a resolver of its own. Where both are told different addresses of a name, a request would be counted for
  // one of them and refused at the other until one asks again.
  return createThreadedSender({
    ...settings,
    threads,
    wallNow: Date.now,
    died: (end) => observer.senderThreadEnded(end),
    ledElsewhere: (host, addresses) => resolver.learn(host, addresses),
  });
}

function dispatcherSettings(config: Config, baseUrl: string): DispatcherSettings {
  return {
    ...DEFAULT_SETTINGS,
    instanceName: INSTANCE_NAME,
    version: VERSION,
    serviceName: config.serviceName,
    userAgent: `Markethook/${VERSION} (+${config.publicUrl ?? baseUrl})`,
    publicUrl: config.publicUrl ?? baseUrl,
    chatOrigins: config.chatOrigins,
    baseUrl,
    schedule: config.retrySchedule,
    leaseMs: config.lease,
    concurrency: config.concurrency,
    webhookConcurrency: config.webhookConcurrency,
    hostConcurrency: config.hostConcurrency,
    addressConcurrency: config.addressConcurrency,
    queueBytes: config.queueSize * 1024 * 1024,
    intakeBytes: config.intakeSize * 1024 * 1024,
    retentionMs: config.retention,
    idempotencyMs: config.idempotencyRetention,
    disable: {
      ...DEFAULT_SETTINGS.disable,
      afterMs: config.disableAfter,
      acceptedWithinMs: config.retention,
      probeAfterMs: config.probeEvery,
    },
    probeEveryMs: config.probeEvery,
  };
}
