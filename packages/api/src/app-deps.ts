import type { RandomBytes } from "@markethook/protocol";
import type { FastifyInstance } from "fastify";
import type { Static } from "typebox";
import type { ConnectionLimits, CutReason } from "./request/connections/connection-limits.ts";
import type { OwnerLimitSettings } from "./auth/owner-limits.ts";
import type { FeedSettings } from "./feed/feed-settings.ts";
import type { CertificateView, CheckupView } from "./schemas/delivery.ts";
import type { SampleBody } from "./schemas/webhook.ts";
import type {
  AcceptItem,
  AcceptResult,
  AttemptCountStore,
  AttemptDetail,
  Store,
} from "@markethook/store";

/** The part of a pino logger that the API uses. */
export interface ApiLogger {
  debug(fields: Record<string, unknown>, message: string): void;
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

export type AttemptTimings = NonNullable<AttemptDetail["timings"]>;

/** A request as it went out. */
export interface ShownRequest {
  method: string;
  url: string;
  headers: [name: string, value: string][];
  body: string;
}

/** A receiver's answer, as far as it is kept. */
export interface ShownResponse {
  status: number;
  headers: [name: string, value: string][];
  /** Null where there was none, or where it is not UTF-8: then `bodyBase64` has it. */
  body: string | null;
  bodyBase64?: string;
  bodyTruncated?: boolean;
}

type SampleInput = Required<Static<typeof SampleBody>>;

/** What a receiver replied to requests that it must accept, and to others that it must refuse. */
interface Checkup extends Omit<Static<typeof CheckupView>, "ping"> {
  /** The genuine ping that came first. */
  ping: PingResult;
}

export interface PingResult {
  deliveryId: string;
  eventId: string;
  outcome: string;
  /** HTTP status, if there was an answer. */
  status: number | null;
  /** What came of it, in plain words for the owner. */
  sentence: string;
  /** False: no byte of the request left. */
  sent: boolean;
  timings: AttemptTimings | null;
  request: ShownRequest;
  response: ShownResponse | null;
  /** The beginning of a body that reads like a refusal, although the status says accepted. */
  refusal?: string;
  /** The server's, where it was refused. */
  certificate?: Static<typeof CertificateView>;
  /** Of a chat: what was cut from the message, and why the default one stood in for the owner's. */
  warnings?: string[];
  fault?: string;
}

export type TargetCheck =
  /** `resolved`: its name leads somewhere now. */
  | { ok: true; remarks: string[]; resolved: boolean }
  | { ok: false; code: "url_invalid" | "target_blocked"; sentence: string };

/** A pasted request, judged as a receiver would. */
export interface VerifyInput {
  headers: Record<string, string>;
  /** Bytes of the body. */
  body: Uint8Array;
  secrets: string[];
}

export type Verification =
  | { valid: true; event: string }
  | { valid: false; cause: { code: string; sentence: string; advice: string } };

/** What only the running process knows. */
interface OperatorFigures {
  oldestDueSeconds: number;
  /** Of this instance, over the last minute. */
  deliveriesPerSecond: number;
  /** Of this instance, over the last 15 minutes; the busiest hosts first. */
  attempts: { host: string; outcome: string; count: number }[];
  uptimeSeconds: number;
  /** Ids of the keys; the first one encrypts. */
  masterKeyIds: string[];
  /** How the posting of notices goes; null: they are not posted. */
  noticePosts: {
    host: string;
    unposted: number;
    oldestSeconds: number;
    /** Of this instance's last try; null: it worked. */
    failure: string | null;
  } | null;
}

export interface Readiness {
  ready: boolean;
  /** What was looked at, and in a few words what was found. */
  checks: Record<string, string>;
}

export type ApiStore = Pick<
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

/** How long a request may take to arrive. */
export interface Deadlines {
  headersMs: number;
  /** After the headers'. */
  bodyMs: number;
  /** How often it is looked. */
  checkMs: number;
}

/** Everything the API needs from outside. It opens no socket, reads no clock and no environment of its own. */
export interface AppDeps {
  store: ApiStore;
  /** Deliveries that ended longer ago can have been pruned: whether an event had one is not known then. */
  retentionMs: number;
  /** `list`: up to now, as far as this instance made the attempts. */
  attemptCounts: Pick<AttemptCountStore, "list" | "sums">;
  /**
   * Stores reported events, group-committed; one result per item, in order.
   * @throws `overloaded`, `outcome_unknown`, `store_unavailable`, `storage_full`, `shutting_down`
   */
  accept(items: AcceptItem[]): Promise<AcceptResult[]>;
  /** One real request, now. @throws `not_found`, `rotation_not_open` */
  ping(webhookId: string, ownerId: string | null, secret: "current" | "next"): Promise<PingResult>;
  /** An event that did not happen, once, now. @throws `not_found`, `webhook_is_chat`, `dry_run` */
  sendSample(webhookId: string, ownerId: string | null, sample: SampleInput): Promise<PingResult>;
  /** Does its receiver refuse forgeries? @throws `webhook_is_chat`, and what `ping` throws */
  checkWebhook(webhookId: string, ownerId: string | null): Promise<Checkup>;
  /** Judges a receiver's URL before it is saved. */
  checkTarget(url: string): Promise<TargetCheck>;
  /** Judges a pasted request, whenever it was signed. */
  verify(input: VerifyInput): Verification;
  operator(): Promise<OperatorFigures>;
  /** Tells the dispatcher that something is due. */
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
  serviceName: string;
  /** Of resource pages. */
  baseUrl: string;
  /** Where people reach this service's own pages; no slash at the end. */
  publicUrl(): string;
  /** For `security.txt`, a URI; null: there is none. */
  securityContact: string | null;
  /** Development mode, which pages say. */
  development: boolean;
  /** Nothing is sent except to `allowTargets`, which pages say. */
  dryRun: boolean;
  /** CIDRs of receivers that need not be public, as in the setting. */
  allowTargets: readonly string[];
  /** Otherwise than usual: for tests. */
  feed?: FeedSettings;
  /** Otherwise than usual: for tests. */
  deadlines?: Deadlines;
  connections?: ConnectionLimits;
  /** What may be done for one owner within a minute; absent: no limits. */
  ownerLimits?: OwnerLimitSettings;
  /** Requests of one API key in a second; 0 or absent: no bound. */
  keyRate?: number;
  /** Memory of all bodies that are arriving. */
  bodyBytes?: number;
  /** Told of each connection that was cut for what it did. */
  connectionCut?: (reason: CutReason) => void;
  /** Serves the pages, if there are any. */
  servePages?: (app: FastifyInstance) => void;
  version: string;
  /** Secret that cursors are signed with; the same on all instances. */
  cursorKey: Uint8Array;
  /** As fastify takes it: addresses or CIDRs of proxies whose `X-Forwarded-*` are believed. */
  trustProxy: boolean | string;
  logger: ApiLogger;
  /** Told of each fault of our own that stands in the way of an answer, or of something next to it. */
  fault(where: string, error: unknown): void;
}
