import type { FastifyInstance } from "fastify";
import type { Static } from "typebox";
import type { RandomBytes } from "@markethook/protocol";
import type { AcceptItem, AcceptResult, AttemptCountStore, Store } from "@markethook/store";
import type { ConnectionLimits, CutReason } from "./request/connections/connection-limits.ts";
import type { OwnerLimitSettings } from "./auth/owner-limits.ts";
import type { CheckupView, PingView, RequestView, ResponseView } from "./schemas/delivery.ts";
import type { OperatorView } from "./schemas/operator.ts";
import type { SampleBody } from "./schemas/webhook.ts";

/** The part of a pino logger that the API uses. */
interface ApiLogger {
  debug(fields: Record<string, unknown>, message: string): void;
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/** A request in the form in which answers show it. */
export type ShownRequest = Static<typeof RequestView>;
export type ShownResponse = Static<typeof ResponseView>;
export type PingResult = Static<typeof PingView>;

/** Facts that only the running process knows. */
type OperatorFigures = Pick<
  Static<typeof OperatorView>,
  | "oldestDueSeconds"
  | "deliveriesPerSecond"
  | "attempts"
  | "leaseMs"
  | "uptimeSeconds"
  | "noticePosts"
> & {
  /** Ids of the keys; the first one encrypts. */
  masterKeyIds: string[];
};

export type TargetCheck =
  /** `resolved`: its name leads to an address now. */
  | { ok: true; resolved: boolean }
  | { ok: false; code: "url_invalid" | "target_blocked"; sentence: string };

/** A pasted request, judged as a receiver would. */
export interface VerifyInput {
  headers: Record<string, string>;
  body: Uint8Array;
  secrets: string[];
}

export type Verification =
  | { valid: true; event: string }
  | { valid: false; cause: { code: string; sentence: string; advice: string } };

export interface Readiness {
  ready: boolean;
  /** The thing that was checked, and the result in a few words. */
  checks: Record<string, string>;
}

type ApiStore = Pick<
  Store,
  | "events"
  | "log"
  | "resources"
  | "webhooks"
  | "apiKeys"
  | "portalSessions"
  | "kind"
  | "notices"
  | "imports"
  | "maintenance"
  | "instances"
  | "audit"
  | "actingAs"
>;

/** Time limits for a request to arrive. */
export interface Deadlines {
  headersMs: number;
  /** Time for the body, after the headers. */
  bodyMs: number;
  /** Time between checks. */
  checkMs: number;
}

/** Of the stream of live deliveries. */
export interface FeedSettings {
  everyMs: number;
  /** Limit of open streams, in all and per owner, or per key that acts for the marketplace. */
  most: number;
  mostPerOwner: number;
}

/** Everything that the API needs from outside. It opens no socket, reads no clock and no environment by itself. */
export interface AppDeps {
  store: ApiStore;
  /** Deliveries that ended longer ago can have been pruned, so it is not known whether an event had one. */
  retentionMs: number;
  /** `list`: up to now, for attempts of this instance. */
  attemptCounts: Pick<AttemptCountStore, "list" | "sums">;
  /**
   * Stores reported events, group-committed; one result per item, in order.
   * @throws `overloaded`, `outcome_unknown`, `store_unavailable`, `storage_full`, `shutting_down`
   */
  accept(items: AcceptItem[]): Promise<AcceptResult[]>;
  /** Sends one real request, now. @throws `not_found`, `rotation_not_open` */
  ping(webhookId: string, ownerId: string | null, secret: "current" | "next"): Promise<PingResult>;
  /** Sends an event that did not happen, once, now. @throws `not_found`, `webhook_is_chat`, `dry_run` */
  sendSample(
    webhookId: string,
    ownerId: string | null,
    sample: Required<Static<typeof SampleBody>>,
  ): Promise<PingResult>;
  /** Checks whether its receiver refuses forgeries. @throws `webhook_is_chat`, and the errors of `ping` */
  checkWebhook(webhookId: string, ownerId: string | null): Promise<Static<typeof CheckupView>>;
  /** Whether requests go to this URL: in a dry run only to `allowTargets`. */
  mayGo(url: string): Promise<boolean>;
  /** Judges a receiver's URL before it is saved. */
  checkTarget(url: string): Promise<TargetCheck>;
  /** Judges a pasted request of any age. */
  verify(input: VerifyInput): Verification;
  operator(): Promise<OperatorFigures>;
  /** Tells the dispatcher that deliveries are due. */
  wake(): void;
  /** Unix seconds. */
  nowSeconds(): number;
  nowMs(): number;
  /** Monotonic milliseconds. */
  elapsedMs(): number;
  randomBytes: RandomBytes;
  /** The operator's figures in the text format of Prometheus. */
  metrics(): Promise<{ contentType: string; text: string }>;
  readiness(): Promise<Readiness>;
  /** Whether clients should connect to another instance. */
  isStopping(): boolean;
  serviceName: string;
  /** Of resource pages. */
  baseUrl: string;
  /** Public address of this service's own pages; no slash at the end. */
  publicUrl(): string;
  /** Contact for `security.txt`, a URI; null: none. */
  securityContact: string | null;
  /** True in development mode; the pages say so. */
  development: boolean;
  /** True if requests go only to `allowTargets`; the pages say so. */
  dryRun: boolean;
  /** Of failures without a success, after which a webhook is disabled. */
  disableAfterMs: number;
  /** CIDRs of receivers that need not be public, as in the setting. */
  allowTargets: readonly string[];
  /** Test overrides. */
  feed?: FeedSettings;
  /** Test overrides. */
  deadlines?: Deadlines;
  connections: ConnectionLimits;
  ownerLimits: OwnerLimitSettings;
  /** Requests per second of one API key; 0: no limit. */
  keyRate: number;
  /** Memory for all arriving bodies. */
  bodyBytes: number;
  /** Called for each connection that was cut for its behaviour. */
  connectionCut(reason: CutReason): void;
  /** Serves the pages; tests have none. */
  servePages?: (app: FastifyInstance) => void;
  version: string;
  /** Secret that cursors are signed with; the same on all instances. */
  cursorKey: Uint8Array;
  /** In fastify's form: addresses or CIDRs of proxies whose `X-Forwarded-*` are believed. */
  trustProxy: boolean | string;
  logger: ApiLogger;
  /** Called for each fault of our own that prevents an answer, or happens next to one. */
  fault(where: string, error: unknown): void;
}
