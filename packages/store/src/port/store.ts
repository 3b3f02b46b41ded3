import type { ApiKeyStore, Maintenance, NoticePostStore, NoticeStore } from "./administration.ts";
import type { AuditActor, AuditStore } from "./audit.ts";
import type { AttemptCountStore } from "./attempt-counts.ts";
import type { ChatStore } from "./chat.ts";
import type { ActingLog, DeliveryLog } from "./delivery-log.ts";
import type { DeliveryStore, OrderPair } from "./deliveries.ts";
import type { ErasureStore } from "./erasure.ts";
import type { EventStore } from "./events.ts";
import type { HostStore } from "./hosts.ts";
import type { ImportStore } from "./imports.ts";
import type { InstanceStore } from "./instances.ts";
import type { PortalSessionStore } from "./portal-sessions.ts";
import type { ResourceStore } from "./resources.ts";
import type { WebhookStore } from "./webhooks.ts";

/** Hints that something changed, to all instances. A lost hint only costs time, because every instance polls too. */
export type SharedHint =
  | { kind: "ready" }
  | { kind: "webhooks"; nos: number[] }
  /** Deliveries wait behind an earlier one of these keys, which another instance may have. */
  | { kind: "blocked"; pairs: OrderPair[] }
  /** Their user is being erased: deliveries of these events that have not begun are not to be sent. */
  | { kind: "erasing"; eventSeqs: number[] };

/**
 * A fault for which no call fails, told to this instance. `open a connection`: the server has none left for another of
 * ours; work waits for those that there are. `read deliveries`: some are due and cannot be read; the others are claimed.
 */
export interface FaultHint {
  kind: "fault";
  where: "open a connection" | "read deliveries";
  error: unknown;
}

export type StoreHint = SharedHint | FaultHint;

export interface Store extends Omit<ActingStore, "log" | "erasure"> {
  readonly kind: "sqlite" | "postgres";
  /** True if one process owns the store: no other can change it or have leases. */
  readonly exclusive: boolean;
  readonly events: EventStore;
  readonly deliveries: DeliveryStore;
  readonly log: DeliveryLog;
  readonly instances: InstanceStore;
  readonly attemptCounts: AttemptCountStore;
  readonly hosts: HostStore;
  readonly notices: NoticeStore;
  readonly noticePosts: NoticePostStore;
  readonly chat: ChatStore;
  readonly audit: AuditStore;
  readonly maintenance: Maintenance;
  /** Its operations that add audit rows, in the name of an author. Changes without a name are the service's own. */
  actingAs(actor: AuditActor): ActingStore;
  onHint(listener: (hint: StoreHint) => void): void;
  close(): Promise<void>;
}

/** The operations that add audit rows. */
export interface ActingStore {
  readonly webhooks: WebhookStore;
  readonly resources: ResourceStore;
  readonly apiKeys: ApiKeyStore;
  readonly portalSessions: PortalSessionStore;
  readonly imports: ImportStore;
  readonly log: ActingLog;
  readonly erasure: ErasureStore;
}

/** Options for opening either database. */
export interface OpenOptions {
  /** Base URL of resource pages: `{baseUrl}/resource/{id}`. */
  baseUrl: string;
  /** 32 bytes each; the first one encrypts, all can decrypt. */
  masterKeys: readonly Uint8Array[];
}
