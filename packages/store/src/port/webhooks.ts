import type { GivenFields, WebhookFields } from "@markethook/protocol";

export type WebhookState = "active" | "paused" | "disabled";
export type DisabledReason =
  | "failing"
  | "gone"
  | "receiver_request"
  | "owner_changed"
  | ChatDisabledReason;
/** The chat platform reported it for the address; every webhook that has it is disabled. */
export type ChatDisabledReason = "chat_deleted" | "chat_token" | "chat_forbidden";

export interface Webhook extends WebhookFields {
  /** Internal number; never shown. */
  no: number;
  id: string;
  resourceId: string;
  ownerId: string;
  /** The part of the URL that may be shown: path and query are a secret. */
  url: string;
  /** Changes whenever the URL changes; says nothing about it. */
  urlVersion: string;
  /** Host name and port of the URL: thirty webhooks on one small server count as one. */
  host: string;
  /** `json`: the signed envelope; otherwise the name of a chat platform. */
  format: string;
  /** JSON text of the chat's options; null: not a chat. */
  chat: string | null;
  /** Why the owner's template could not be used since its last change, as a sentence. */
  chatFault: string | null;
  state: WebhookState;
  disabledReason: DisabledReason | null;
  /** True if the secret is not base64, so no `webhook-signature` can be made. */
  secretIsImportedText: boolean;
  /** An open rotation. `until` null: until the owner switches. */
  rotation: { until: number | null } | null;
  /** True while held deliveries are being cancelled; the webhook becomes active after that. */
  dropping: boolean;
  failingSince: number | null;
  lastSuccessAt: number | null;
  lastFailureAt: number | null;
  /** Number of deliveries given up within the last seven days and not sent again, and since when. Null: none. */
  givenUp: { count: number; since: number } | null;
  createdAt: number;
  updatedAt: number;
}

/** The data that the sender needs at the moment of sending. */
export interface SendableWebhook extends Pick<
  Webhook,
  | "no"
  | "id"
  | "resourceId"
  | "ownerId"
  | "host"
  | "format"
  | "state"
  | "disabledReason"
  | "includeDetails"
> {
  /** The address itself, a secret. */
  url: string;
  /** Another one after each change of the URL; says nothing about the URL. */
  urlMark: string;
  /** The part of the URL that may be stored in logs. */
  shownUrl: string;
  /** Null: not a chat. */
  chat: SendableChat | null;
  /** True if it is deleted, or its open deliveries are to be cancelled. */
  cancelled: boolean;
  secrets: { current: string; next?: string };
  failing: boolean;
  /** Left out if there is nothing of the kind. */
  recovery?: Recovery;
}

/** The state of a webhook that is in trouble, or was until lately. Milliseconds. */
export interface Recovery {
  /** Time since the first failure without a later success; null: the last answer was a good one. */
  failingMs: number | null;
  /**
   * Time since it was resumed or changed, if it has not answered well since, or since a probe enabled it again; null: not
   * lately.
   */
  resumedMs: number | null;
  /** How long it may have been away before. */
  awayMs: number;
}

export interface SendableChat {
  /** JSON text. */
  options: string;
  /** Hash that is equal for all webhooks with the same address. */
  target: string;
  fault: string | null;
}

export interface WebhookInput extends GivenFields {
  id: string;
  resourceId: string;
  /** Stored encrypted. Of a chat: in its canonical form. */
  url: string;
  format: string;
  /** A chat needs both. For other webhooks the shown part is made from the URL. */
  shownUrl?: string | undefined;
  /** JSON text of the options. */
  chat?: string | undefined;
  /** Every webhook has a secret, also a chat's: it may get another format. */
  secret: string;
}

export interface WebhookChange extends GivenFields, AddressChange {
  /** Replaces the address of the change. Called with the webhook that the change meets, possibly more than once. */
  address?: (stored: Webhook) => AddressChange;
  /** If one of these differs from the stored value, nothing changes. */
  expected?: ExpectedWebhook;
}

export interface AddressChange {
  url?: string;
  /** Format of the `url`; absent: `json`. */
  format?: string;
  /** Of the `url`, for a chat. */
  shownUrl?: string | undefined;
  /** JSON text of a chat's options. Absent with a new `url` of a chat: the stored ones stay. */
  chat?: string | undefined;
}

export interface ExpectedWebhook extends GivenFields {
  urlVersion?: string;
  /** JSON text of a chat's options, or `null`. */
  chat?: string;
}

/** All given values must match. */
export interface WebhookScopeFilter {
  ownerId?: string;
  resourceId?: string;
  webhookId?: string;
}

export type WebhookScope = Pick<Webhook, "no" | "id" | "ownerId" | "resourceId">;

/**
 * `ownerId` null acts as the marketplace; with an id, other owners' webhooks are absent. All methods throw `not_found`.
 */
export interface WebhookStore {
  /** @throws `resource_unknown`, `webhook_limit_reached`. */
  create(input: WebhookInput, ownerId: string | null): Promise<Webhook>;
  get(id: string, ownerId: string | null): Promise<Webhook>;
  /** Copies address, options and fields to another resource of the webhook's owner, as a new webhook. */
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
  /** The disabled webhooks that were changed last, of any owner. */
  listDisabled(limit: number): Promise<Webhook[]>;
  /** The active webhooks that began to fail last, of any owner. */
  listFailing(limit: number): Promise<Webhook[]>;
  /** Whether a webhook of this owner and resource, not deleted and not `exceptId`, has exactly this URL. */
  hasUrl(of: {
    ownerId: string;
    resourceId: string;
    url: string;
    exceptId?: string | undefined;
  }): Promise<boolean>;
  /**
   * Numbers and resources of the webhooks that match any of these, without deleted ones; the newest first. Where there
   * are more, the newest of each owner, then the second newest, and so on.
   */
  scopes(filters: readonly WebhookScopeFilter[], limit: number): Promise<WebhookScope[]>;
  /** A changed URL makes a notice. */
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
  /** For the sender. Unknown numbers are left out. A rotation whose time is over counts as ended. */
  forSending(nos: readonly number[]): Promise<SendableWebhook[]>;
}
