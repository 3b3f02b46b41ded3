import type { ApiKeyStore, Maintenance, NoticeStore } from "./administration.ts";
import type { AttemptCountStore } from "./attempt-counts.ts";
import type { DeliveryLog } from "./delivery-log.ts";
import type { DeliveryStore } from "./deliveries.ts";
import type { EventStore } from "./events.ts";
import type { ImportStore } from "./imports.ts";
import type { InstanceStore } from "./instances.ts";
import type { PortalSessionStore } from "./portal-sessions.ts";
import type { ResourceStore } from "./resources.ts";
import type { WebhookStore } from "./webhooks.ts";

/** Hints that something changed; a lost one costs only time, because everybody polls too. */
export type StoreHint = { kind: "ready" } | { kind: "webhooks"; nos: number[] };

export interface Store {
  readonly kind: "sqlite" | "postgres";
  /** One process owns the store: nobody else can change it or hold leases. */
  readonly exclusive: boolean;
  readonly events: EventStore;
  readonly deliveries: DeliveryStore;
  readonly log: DeliveryLog;
  readonly instances: InstanceStore;
  readonly resources: ResourceStore;
  readonly webhooks: WebhookStore;
  readonly apiKeys: ApiKeyStore;
  readonly portalSessions: PortalSessionStore;
  readonly attemptCounts: AttemptCountStore;
  readonly notices: NoticeStore;
  readonly imports: ImportStore;
  readonly maintenance: Maintenance;
  onHint(listener: (hint: StoreHint) => void): void;
  close(): Promise<void>;
}
