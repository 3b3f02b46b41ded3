import type { ReportedEventName } from "@markethook/protocol";

export type WebhookState = "active" | "paused" | "disabled";
export type DisabledReason =
  | "failing"
  | "gone"
  | "receiver_request"
  | "owner_changed"
  | ChatDisabledReason;
/** The chat platform said so of the address, and every webhook that has it is disabled. */
export type ChatDisabledReason = "chat_deleted" | "chat_token" | "chat_forbidden";

export interface Webhook {
  /** Internal number; never shown. */
  no: number;
  id: string;
  resourceId: string;
  ownerId: string;
  /** What may be shown of it: the path and the query are a secret. */
  url: string;
  /** Another one whenever the URL becomes another one; says nothing about it. */
  urlVersion: string;
  /** The URL's name and port. */
  host: string;
  /** `json`: the signed envelope; otherwise the name of a chat platform. */
  format: string;
  /** JSON text of the chat's options; null: not a chat. */
  chat: string | null;
  /** A sentence: why the owner's template could not be used since it was last changed. */
  chatFault: string | null;
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
  /** Deliveries given up within the last seven days, and since when. Null: none. */
  givenUp: { count: number; since: number } | null;
  createdAt: number;
  updatedAt: number;
}

/** What the sender needs at the moment of sending. */
export interface SendableWebhook {
  no: number;
  id: string;
  resourceId: string;
  ownerId: string;
  /** The address itself, a secret. */
  url: string;
  /** What may be written down of it. */
  shownUrl: string;
  /** The URL's name and port: thirty webhooks on one small server count as one. */
  host: string;
  format: string;
  /** Null: not a chat. */
  chat: SendableChat | null;
  state: WebhookState;
  disabledReason: DisabledReason | null;
  /** Deleted, or its open deliveries are to be cancelled. */
  cancelled: boolean;
  secrets: { current: string; next?: string };
  failing: boolean;
  /** Left out where there is nothing of the kind. */
  recovery?: Recovery;
}

/** Of a webhook that is in trouble, or was until lately. Milliseconds. */
export interface Recovery {
  /** Since the first failure after which there was no success; null: the last answer was a good one. */
  failingMs: number | null;
  /** Since it was resumed or changed, if it has not answered well since; null: nothing of the kind lately. */
  resumedMs: number | null;
  /** How long it may have been away before that. */
  awayMs: number;
}

export interface SendableChat {
  /** JSON text. */
  options: string;
  /** The same for all webhooks that share the address. */
  target: string;
  fault: string | null;
}

export interface WebhookInput {
  id: string;
  resourceId: string;
  /** Stored encrypted. Of a chat: in its canonical form. */
  url: string;
  format: string;
  /** A chat needs both; of another webhook what may be shown is made from the URL. */
  shownUrl?: string | undefined;
  /** JSON text of the options. */
  chat?: string | undefined;
  events: ReportedEventName[] | null;
  description: string;
  /** Every webhook has one, a chat's too: it may get another format. */
  secret: string;
}

export interface WebhookChange {
  url?: string;
  /** Of the `url`; absent: `json`. */
  format?: string;
  /** Of the `url`, for a chat. */
  shownUrl?: string | undefined;
  /** JSON text of a chat's options; with a new `url` of a chat and absent, those that it has stay. */
  chat?: string | undefined;
  events?: ReportedEventName[] | null;
  description?: string;
  /** Where one of these is not as it is, nothing changes. */
  expected?: ExpectedWebhook;
}

export interface ExpectedWebhook {
  urlVersion?: string;
  events?: ReportedEventName[] | null;
  description?: string;
  /** JSON text of a chat's options, or `null`. */
  chat?: string;
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
  /**
   * The same address, options, events and description for another resource of the webhook's owner, as a new webhook.
   * @throws `not_found`, `resource_unknown`, `webhook_limit_reached`.
   */
  copy(
    id: string,
    ownerId: string | null,
    to: Pick<WebhookInput, "id" | "resourceId" | "secret">,
  ): Promise<Webhook>;
  /** Newest first by creation; not deleted. */
  list(filter: {
    ownerId: string | null;
    resourceId?: string;
    afterNo?: number;
    limit: number;
  }): Promise<Webhook[]>;
  /** The ones that were changed last, of any owner. */
  listDisabled(limit: number): Promise<Webhook[]>;
  /** Whether a webhook of this resource, not deleted, has exactly this URL. */
  hasUrl(of: { ownerId: string | null; resourceId: string; url: string }): Promise<boolean>;
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
  revealUrl(id: string, ownerId: string | null): Promise<string>;
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
