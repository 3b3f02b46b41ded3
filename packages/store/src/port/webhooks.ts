import type { ReportedEventName } from "@markethook/protocol";

export type WebhookFormat = "json";
export type WebhookState = "active" | "paused" | "disabled";
export type DisabledReason = "failing" | "gone" | "receiver_request" | "owner_changed";

export interface Webhook {
  /** Internal number; never shown. */
  no: number;
  id: string;
  resourceId: string;
  ownerId: string;
  url: string;
  format: WebhookFormat;
  /** Null: all events. */
  events: ReportedEventName[] | null;
  description: string;
  state: WebhookState;
  disabledReason: DisabledReason | null;
  /** True where no `webhook-signature` can be made because the secret is not base64. */
  secretIsImportedText: boolean;
  /** A rotation is open. `until` null: until the owner switches. */
  rotation: { until: number | null } | null;
  /** Held deliveries are being cancelled; the webhook becomes active after that. */
  dropping: boolean;
  failingSince: number | null;
  lastSuccessAt: number | null;
  lastFailureAt: number | null;
  createdAt: number;
  updatedAt: number;
}

/** What the sender needs at the moment of sending. */
export interface SendableWebhook {
  no: number;
  id: string;
  resourceId: string;
  url: string;
  format: WebhookFormat;
  state: WebhookState;
  disabledReason: DisabledReason | null;
  /** Deleted, or its open deliveries are to be cancelled. */
  cancelled: boolean;
  secrets: { current: string; next?: string };
  failing: boolean;
}

export interface WebhookInput {
  id: string;
  resourceId: string;
  url: string;
  format: WebhookFormat;
  events: ReportedEventName[] | null;
  description: string;
  secret: string;
}

export interface WebhookChange {
  url?: string;
  events?: ReportedEventName[] | null;
  description?: string;
}

/** All that is given must match. */
export interface WebhookScopeFilter {
  ownerId?: string;
  resourceId?: string;
  webhookId?: string;
}

export interface WebhookScope {
  no: number;
  id: string;
  ownerId: string;
  resourceId: string;
}

/** `ownerId` null acts as the marketplace; otherwise other owners' webhooks are absent. All throw `not_found`. */
export interface WebhookStore {
  /** @throws `resource_unknown`, `webhook_limit_reached`. */
  create(input: WebhookInput, ownerId: string | null): Promise<Webhook>;
  get(id: string, ownerId: string | null): Promise<Webhook>;
  /** Newest first by creation; not deleted. */
  list(filter: {
    ownerId: string | null;
    resourceId?: string;
    afterNo?: number;
    limit: number;
  }): Promise<Webhook[]>;
  /** The ones that were changed last, of any owner. */
  listDisabled(limit: number): Promise<Webhook[]>;
  /** Numbers and places of those that match any of these, without deleted ones; the newest first. */
  scopes(filters: readonly WebhookScopeFilter[], limit: number): Promise<WebhookScope[]>;
  /** A changed URL leaves a notice. */
  change(id: string, ownerId: string | null, change: WebhookChange): Promise<Webhook>;
  /** Open deliveries are cancelled in the background. */
  delete(id: string, ownerId: string | null): Promise<void>;
  pause(id: string, ownerId: string | null): Promise<Webhook>;
  /** From paused or disabled (not after an owner change). `drop`: held deliveries are cancelled first. */
  resume(id: string, ownerId: string | null, held: "send" | "drop"): Promise<Webhook>;
  revealSecrets(
    id: string,
    ownerId: string | null,
  ): Promise<{ current: string; next: string | null }>;
  /** `switch_now` replaces; `overlap` keeps both until `overlapSeconds` from now (null: until switched). */
  rotate(
    id: string,
    ownerId: string | null,
    rotation:
      | { secret: string; mode: "switch_now" }
      | { secret: string; mode: "overlap"; overlapSeconds: number | null },
  ): Promise<Webhook>;
  /** Ends an open rotation with the new secret alone. */
  switchSecret(id: string, ownerId: string | null): Promise<Webhook>;
  /** Ends an open rotation with the old secret alone. */
  cancelRotation(id: string, ownerId: string | null): Promise<Webhook>;
  /** For the sender; numbers that do not exist are left out. Rotations that are over are answered as ended. */
  forSending(nos: readonly number[]): Promise<SendableWebhook[]>;
}
