import type { ChatLimits, ChatOrigins } from "@markethook/chat";
import type { DisableRule } from "@markethook/store";
import type { SlowStartRule } from "../gates/slow-start-gate.ts";

/** How the dispatcher behaves. Times in milliseconds, sizes in bytes. */
export interface DispatcherSettings {
  instanceName: string;
  version: string;
  serviceName: string;
  userAgent: string;
  /** Where people find the service: chat platforms want to be told. */
  publicUrl: string;
  /** Where platforms are reached instead of their own origins. */
  chatOrigins?: ChatOrigins;
  /** Instead of the platforms' own: for tests. */
  chatLimits?: Partial<ChatLimits>;
  /** So long a ping waits for its turn. */
  chatPingPatienceMs: number;
  baseUrl: string;
  /** Waits between attempts. */
  schedule: readonly number[];
  attemptTimeoutMs: number;
  /** An instance that missed its heartbeat for this long is dead. */
  leaseMs: number;
  /** Open requests in all. */
  concurrency: number;
  /** Open requests per webhook, once it has shown that it answers. */
  webhookConcurrency: number;
  /** Per host name and port. */
  hostConcurrency: number;
  /** Per address that hosts resolve to. */
  addressConcurrency: number;
  /** Payloads waiting in memory. */
  queueBytes: number;
  /** Deliveries of one webhook waiting in memory. */
  queueShare: number;
  /** Requests that wait to be stored. */
  intakeBytes: number;
  intakeTimeoutMs: number;
  /** An ended delivery is kept this long. */
  retentionMs: number;
  idempotencyMs: number;
  disable: DisableRule;
  /** Between two probes of a disabled webhook. */
  probeEveryMs: number;
  /** Answers "slow down" after which a delivery is given up. */
  throttledLimit: number;
  /** Requests in a second to a host, or an address, that never answered 2xx, all webhooks and owners together. */
  unconfirmedPerSecond: number;
  /** How a receiver's backlog begins after a long outage. */
  slowStart: SlowStartRule;
  /** How often an idle claim loop looks, at least. */
  pollMs: number;
}

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

/** Everything that has a default; the rest names the deployment. */
export const DEFAULT_SETTINGS = {
  attemptTimeoutMs: 15 * SECOND,
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
