import type { ChatLimits, ChatOrigins } from "@markethook/chat";
import type { DisableRule } from "@markethook/store";
import type { SlowStartRule } from "../gates/slow-start-gate.ts";

/** Settings of the dispatcher. Times in milliseconds, sizes in bytes. */
export interface DispatcherSettings {
  instanceName: string;
  version: string;
  serviceName: string;
  userAgent: string;
  /** Public address of the service, which chat platforms ask for. */
  publicUrl: string;
  /** Origins that replace the platforms' own. */
  chatOrigins?: ChatOrigins;
  /** Limits that replace the platforms' own, for tests. */
  chatLimits?: Partial<ChatLimits>;
  /** How long a ping waits for its turn. */
  chatPingPatienceMs: number;
  baseUrl: string;
  /** Waits between attempts. */
  schedule: readonly number[];
  /** An instance that missed its heartbeat for this long is dead. */
  leaseMs: number;
  concurrency: number;
  /** Limit of open requests per webhook, once it has shown that it answers. */
  webhookConcurrency: number;
  hostConcurrency: number;
  /** Limit of open requests per address that hosts resolve to. */
  addressConcurrency: number;
  queueBytes: number;
  /** How many deliveries of one webhook may wait in memory. */
  queueShare: number;
  /** Memory for requests that wait to be stored. */
  intakeBytes: number;
  intakeTimeoutMs: number;
  /** How long an ended delivery is kept. */
  retentionMs: number;
  idempotencyMs: number;
  disable: DisableRule;
  /** Time between two probes of a disabled webhook. */
  probeEveryMs: number;
  /** Number of 429 answers after which a delivery is given up. */
  throttledLimit: number;
  /** Requests per second to a host, or an address, that never answered 2xx, over all webhooks and owners. */
  unconfirmedPerSecond: number;
  /** How the backlog of a receiver is sent after a long outage. */
  slowStart: SlowStartRule;
  /** Longest time between two polls of an idle claim loop. */
  pollMs: number;
}

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

/** Settings with a default; the others depend on the deployment. */
export const DEFAULT_SETTINGS = {
  leaseMs: 8 * SECOND,
  concurrency: 512,
  webhookConcurrency: 10,
  hostConcurrency: 64,
  addressConcurrency: 128,
  queueBytes: 64 * 1024 * 1024,
  queueShare: 200,
  intakeBytes: 32 * 1024 * 1024,
  intakeTimeoutMs: 2 * SECOND,
  retentionMs: 30 * DAY,
  idempotencyMs: 72 * HOUR,
  disable: {
    afterMs: 5 * DAY,
    attempts: 10,
    events: 2,
    probeAfterMs: HOUR,
    acceptedWithinMs: 30 * DAY,
  },
  probeEveryMs: HOUR,
  throttledLimit: 100,
  unconfirmedPerSecond: 20,
  slowStart: { afterMs: 10 * 60 * SECOND, perSecond: 10, doubleEveryMs: 10 * SECOND, doublings: 7 },
  pollMs: 250,
  chatPingPatienceMs: 5 * SECOND,
} satisfies Partial<DispatcherSettings>;
