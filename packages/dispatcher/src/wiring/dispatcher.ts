import { type AcceptItem, type AcceptResult, USER_ERASED } from "@markethook/store";
import { createChat } from "../chat/chat.ts";
import { ClaimLoop } from "../lease/claim-loop.ts";
import { Deliver } from "../deliver/deliver.ts";
import { createHandoff } from "../accept/handoff.ts";
import type { DispatcherOptions } from "./dispatcher-options.ts";
import { FairQueue } from "../queue/fair-queue.ts";
import { createMemoryBudget } from "../queue/memory-ledger.ts";
import { createDryRunGate } from "../gates/dry-run.ts";
import { createHosts } from "../gates/hosts.ts";
import { createInstanceCount, ONE_INSTANCE } from "../gates/instance-count.ts";
import { createIntake } from "../accept/intake.ts";
import { Leases } from "../lease/leases-and-lost-answers.ts";
import { Heartbeat } from "../lease/heartbeat.ts";
import { createReadDetails } from "../deliver/read-details.ts";
import { createMarks } from "../deliver/suspect-marks.ts";
import { OutageWatch } from "../gates/outage-watch.ts";
import { createCheckWebhook, type WebhookCheckup } from "../ping/check-webhook.ts";
import { createPing, type PingResult } from "../ping/ping.ts";
import { createSendSample, type Sample, type SampleResult } from "../ping/send-sample.ts";
import { SlowStartGate } from "../gates/slow-start-gate.ts";
import { type Outcome, Settler, withoutAttempt } from "../deliver/settler.ts";
import { createPeriodicWork } from "../lease/periodic-work.ts";
import { WebhookCache } from "../queue/webhook-cache.ts";
import type { WaitReason } from "../queue/place.ts";
import type { QueueEntry } from "../queue/webhook-queue.ts";

/**
 * Puts the sending side together:
 *
 * intake --pre-leased--> fair queue <--claims-- claim loop
 * fair queue --> deliver --> sender --> settler --> store
 * heartbeat guards every step; the periodic work runs next to them.
 */
export interface Dispatcher {
  start(): Promise<void>;
  /** Takes nothing new. Open attempts end within their time limit; the other deliveries are given back. */
  stop(): Promise<{ released: number }>;
  accept(items: readonly AcceptItem[]): Promise<AcceptResult[]>;
  ping(webhookId: string, ownerId: string | null, secret: "current" | "next"): Promise<PingResult>;
  /** Sends an event that did not happen, once, now. @throws `not_found`, `webhook_is_chat`, `dry_run` */
  sendSample(webhookId: string, ownerId: string | null, sample: Sample): Promise<SampleResult>;
  /**
   * Checks whether its receiver refuses forgeries. `isStopping`: from then on no further request is sent.
   * @throws `webhook_is_chat`, and the errors of `ping`.
   */
  checkWebhook(
    webhookId: string,
    ownerId: string | null,
    isStopping?: () => boolean,
  ): Promise<WebhookCheckup>;
  /** Whether requests go to this URL: in a dry run only to some. */
  mayGo(url: string): Promise<boolean>;
  /** Call when deliveries became due by other means: claims at once. */
  wake(): void;
  statistics(): DispatcherStatistics;
  /** Webhooks whose receivers keep them waiting: they reply slowly, asked for a pause, or are chats with their own pace. */
  keptWaiting(): number[];
}

/** The state of the sending side at one moment, for metrics. */
export interface DispatcherStatistics {
  instanceNo: number | null;
  /** Whether requests may be written: a heartbeat was confirmed lately. */
  mayWrite: boolean;
  open: number;
  slowOpen: number;
  /** Deliveries waiting in memory. */
  queued: number;
  /** Number of waiting webhooks by reason. A webhook with suspects may be counted once for each level. */
  waiting: Readonly<Record<WaitReason, number>>;
  roomBytes: number;
  /** Number of outcomes that are not stored yet. */
  unsettled: number;
  sockets: number;
  /** Number of threads that send now; 0: the main thread does. */
  senderThreads: number;
}

const CACHE_AGE_MS = 1000;
/** After this time a webhook whose row cannot be read is read again; a change of it ends the wait. */
const UNREADABLE_MS = 60_000;
/** How long a stop waits for a database that takes heartbeats and no outcomes, as one whose disk is full. */
const STORE_LIMIT_MS = 12_000;
/** Limit of requests that are open or not settled: a crash can repeat all of these. */
const UNSETTLED = 2000;
/** How many requests begin before answers are handled again. */
const PORTION = 64;
/** Number of commits at once. */
const SETTLE_COMMITS = 2;

export async function createDispatcher(options: DispatcherOptions): Promise<Dispatcher> {
  const { store, sender, settings, observer, now, wallNow, randomBytes } = options;
  const { serviceName, userAgent } = settings;
  const profile = {
    serviceName,
    userAgent,
    no: await store.log.ensureProfile({ serviceName, userAgent }),
  };
  let stopping = false;

  const heartbeat = new Heartbeat({
    instances: store.instances,
    name: settings.instanceName,
    version: settings.version,
    leaseMs: settings.leaseMs,
    now,
    wallNow,
    observer,
    right: sender.right,
    onLost(lost) {
      queue.remove((held) => held.instanceNo === lost);
      leases.lost(lost);
      marks.lost();
      cache.forgetAll();
    },
    onStarted: () => claims.wake(),
    onConfirmed: () => queue.pump(),
    networkSuspected: () => outage.suspected,
  });

  /** Null also while the heartbeat is late: deliveries taken then could not be sent. */
  function writingInstanceNo(): number | null {
    const current = heartbeat.current();
    return current !== null && heartbeat.mayWrite(current) ? current : null;
  }

  const outage = new OutageWatch({
    now,
    changed: (suspected) => observer.networkSuspected(suspected),
    steppedAside(isAside) {
      observer.steppedAside(isAside);
      if (isAside) giveBack(queue.remove(() => true));
      else claims.wake();
    },
  });

  const marks = createMarks(store.deliveries);
  const leases = new Leases({
    deliveries: store.deliveries,
    instanceNo: (toTry) => (stopping || (outage.isAside && !toTry) ? null : writingInstanceNo()),
    queue(of, deliveries, { fresh = false, toTry = false }) {
      const held = { instanceNo: of, fresh, behind: undefined };
      const taken = deliveries.map((delivery) => ({ ...held, delivery }));
      // It stepped aside while these were taken.
      if (outage.isAside && !toTry) giveBack(taken);
      else queue.push(taken);
    },
    cleared: () => claims.wake(),
    observer,
  });

  const cache = new WebhookCache({
    webhooks: store.webhooks,
    now,
    maxAgeMs: CACHE_AGE_MS,
    loaded: (nos) => queue.webhooksLoaded(nos),
    failed(nos, error) {
      observer.fault("read webhooks", error);
      setTimeout(() => queue.webhooksLoaded(nos), CACHE_AGE_MS);
    },
    unreadable(nos, error) {
      observer.fault("read webhooks", error);
      for (const no of nos) queue.coolDowns.add(no, now() + UNREADABLE_MS);
      // Their deliveries wait in the database: in memory they would take the room of those that can be sent.
      const unreadable = new Set(nos);
      giveBack(queue.remove(({ delivery }) => unreadable.has(delivery.webhookNo)));
      queue.webhooksLoaded(nos);
    },
  });

  const settler = new Settler({
    deliveries: store.deliveries,
    rule: settings.disable,
    parallel: SETTLE_COMMITS,
    singleWriter: store.exclusive,
    now,
    // When the service stops while the database is away, results wait only as long as the right to write lasts.
    isCurrent: (of) => heartbeat.current() === of && !(stopping && !heartbeat.mayWrite(of)),
    threw: (of) => leases.doubt(of),
    observer,
    settled,
  });

  const rules = {
    schedule: settings.schedule,
    throttledLimit: settings.throttledLimit,
    random: () => options.random(),
    wallNow,
  };

  const instances = store.exclusive
    ? ONE_INSTANCE
    : createInstanceCount({
        count: async () => {
          const found = await store.instances.list();
          outage.noteInstances(found, heartbeat.current());
          return found.length;
        },
        everyMs: settings.leaseMs / 4,
        now,
        observer,
      });

  const chat = createChat({
    chat: store.chat,
    sender,
    settings,
    rules,
    instances,
    profileNo: profile.no,
    now,
    wake: (place) => queue.wake(place),
    observer,
  });

  const { dryRun } = options;
  const dryRunGates =
    dryRun === undefined ? [] : [createDryRunGate(dryRun, now, (place) => queue.wake(place))];

  const hosts = createHosts({
    store: store.hosts,
    places: options.places,
    perSecond: settings.unconfirmedPerSecond,
    instances,
    now,
    wake: (place) => queue.wake(place),
    observer,
  });
  const queue: FairQueue = new FairQueue({
    ...settings,
    cache,
    now,
    portion: PORTION,
    gates: [
      ...dryRunGates,
      chat.gate,
      new SlowStartGate(settings.slowStart, now, instances),
      ...hosts.gates,
    ],
    choked: () => stopping || settler.waiting >= UNSETTLED || writingInstanceNo() === null,
    dispatch: (held, webhook, request) => deliver.begin(held, webhook, request),
    giveBack: (held) => giveBack([held]),
    drained: () => claims.roomMade(),
    shareFreed: () => claims.wake(),
  });

  const deliver = new Deliver({
    heartbeat,
    sender,
    marks,
    profile,
    rules,
    cache,
    prepareChat: chat.prepare,
    readDetails: createReadDetails(store.events),
    randomBytes,
    now,
    coolDown: (no, until) => queue.coolDowns.add(no, until),
    settle: (outcome) => settler.settle(outcome),
    reach: (webhook) => hosts.reach(webhook),
    noteResult(webhook, host, result) {
      hosts.note(webhook, result);
      return outage.note(webhook, host, result);
    },
    finish: (request, ok, address) => queue.finish(request, ok, address),
    observer,
  });

  const room = createMemoryBudget(() => queue.room);
  const { deliveries } = store;
  const claimed = { deliveries, leases, room, queue, outage };
  const claims = new ClaimLoop({ ...claimed, settings, now, observer });

  const intake = createIntake({
    events: store.events,
    handoff: createHandoff({ leases, queue, room, claims, cache, share: settings.queueShare }),
    observer,
    now,
    maxBytes: settings.intakeBytes,
    timeoutMs: settings.intakeTimeoutMs,
    singleWriter: store.exclusive,
  });

  const periodicWork = createPeriodicWork({
    store,
    settings,
    heartbeat,
    leases,
    now,
    observer,
    rescued: () => claims.wake(),
  });

  const mayGo = async (url: string): Promise<boolean> =>
    dryRun === undefined || (await dryRun.mayGo(url));
  const byHand = {
    store,
    sender,
    mayGo,
    hosts,
    profile,
    baseUrl: settings.baseUrl,
    randomBytes,
    wallNow,
  };
  const ping = createPing({ ...byHand, pingChat: chat.ping });
  const sendSample = createSendSample(byHand);
  const checkWebhook = createCheckWebhook({ ...byHand, ping, now });

  store.onHint((hint) => {
    if (hint.kind === "blocked") {
      claims.blocked(hint.pairs);
      return;
    }
    if (hint.kind === "fault") {
      observer.fault(hint.where, hint.error);
      return;
    }
    if (hint.kind === "webhooks") {
      cache.forget(hint.nos);
      queue.endCoolDowns(hint.nos);
    }
    if (hint.kind === "erasing") cancelQueued(new Set(hint.eventSeqs));
    claims.wake();
  });

  function giveBack(entries: readonly QueueEntry[]): void {
    for (const held of entries) settler.settle(withoutAttempt(held, { kind: "release" }));
  }

  function cancelQueued(eventSeqs: ReadonlySet<number>): void {
    const cancelled = { kind: "end", state: "cancelled", reason: USER_ERASED } as const;
    for (const held of queue.remove(({ delivery }) => eventSeqs.has(delivery.eventSeq)))
      settler.settle(withoutAttempt(held, cancelled));
  }

  function settled(outcomes: readonly Outcome[], refused: ReadonlySet<number>): void {
    for (const { instanceNo: of, settlement, orderKey } of outcomes) {
      const { seq, next, webhookNo } = settlement;
      leases.ended(of, [settlement]);
      marks.settled(settlement.seq);
      // From here on the stored state of the webhook holds it.
      if (settlement.health?.kind.startsWith("disable") === true) queue.endCoolDowns([webhookNo]);
      if (refused.has(seq)) continue;
      if (next.kind === "retry") claims.wakeIn(next.delayMs);
      else if (next.kind === "lost") claims.wake();
      else if (next.kind === "end" && orderKey !== null) claims.ended({ webhookNo, orderKey });
    }
    queue.pump();
  }

  return {
    async start() {
      instances.start();
      await hosts.start();
      await heartbeat.start();
      periodicWork.start();
      claims.wake();
    },
    async stop() {
      await intake.stop();
      stopping = true;
      leases.stop();
      try {
        await Promise.all([claims.stop(), periodicWork.stop()]);
        queue.remove(() => true);
        await queue.idle();
        await settler.storeLast(STORE_LIMIT_MS);
        instances.stop();
        await hosts.stop();
        return { released: await heartbeat.stop() };
      } finally {
        queue.close();
        sender.close();
      }
    },
    accept: (items) => intake.accept(items),
    ping,
    sendSample,
    mayGo,
    checkWebhook,
    wake: () => claims.wake(),
    keptWaiting: () => [...queue.queues.slow(), ...queue.coolDowns.ofReceivers(now())],
    statistics: () => ({
      instanceNo: heartbeat.current(),
      mayWrite: writingInstanceNo() !== null,
      open: queue.open,
      slowOpen: queue.slowOpen,
      queued: queue.size,
      waiting: queue.waiting,
      roomBytes: queue.room,
      unsettled: settler.pending,
      sockets: sender.openSockets(),
      senderThreads: sender.threads(),
    }),
  };
}
