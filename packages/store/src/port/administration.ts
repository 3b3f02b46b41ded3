export interface ApiKey {
  id: string;
  name: string;
  scopes: string[];
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  lastUsedAt: number | null;
  /** CIDRs from which it is taken; none: from anywhere. */
  addresses: string[];
}

export interface ApiKeyStore {
  /** `hash`: hex, of the whole key. */
  create(key: {
    id: string;
    name: string;
    scopes: string[];
    hash: string;
    expiresAt: number | null;
    addresses?: readonly string[];
  }): Promise<ApiKey>;
  findByHash(hash: string): Promise<ApiKey | null>;
  list(): Promise<ApiKey[]>;
  /**
   * `absent`: or revoked before. `last`: without it no key could make keys any more, which takes `evenLast`; nothing was
   * changed.
   */
  revoke(id: string, evenLast: boolean): Promise<"revoked" | "absent" | "last">;
  touch(id: string): Promise<void>;
}

export type NoticeKind =
  | "webhook_failing"
  | "webhook_disabled"
  | "webhook_recovered"
  | "webhook_url_changed"
  | "webhook_secret_changed"
  | "owner_changed"
  | "delivery_quarantined"
  /** Deliveries of one webhook that were given up within one hour. */
  | "delivery_exhausted"
  /** To the operator, `ownerId` empty: a chat platform answered too many requests as invalid. */
  | "chat_paused"
  | "chat_template_failed";

export interface Notice {
  no: number;
  kind: NoticeKind;
  ownerId: string;
  resourceId: string;
  webhookId: string | null;
  /** Facts in words and numbers, without secrets. */
  detail: Record<string, string | number | null>;
  createdAt: number;
}

export interface NoticeStore {
  /** Oldest first, above `after`. */
  list(after: number, limit: number, ownerId: string | null): Promise<Notice[]>;
  /** Newest first, for people who look. */
  newest(limit: number): Promise<Notice[]>;
}

export interface SuspectCount {
  level: number;
  count: number;
}

export interface StoreStatistics {
  pending: number;
  leased: number;
  webhooks: { active: number; paused: number; disabled: number };
  /** Deliveries that may have ended a process, by level, as long as they are treated so; above 10: quarantined. */
  suspects: SuspectCount[];
  instances: number;
  sizeBytes: number;
}

export interface Maintenance {
  /** Milliseconds since the epoch, by the database's clock. */
  now(): Promise<number>;
  /** By how much the store's clock is ahead of this machine's; 0 where it is the database server's. */
  clockAheadMs(): Promise<number>;
  /** Rejects with `store_unavailable` when a write cannot be made. */
  checkWritable(): Promise<void>;
  /** Stores an event as accepting does, takes it back, and rejects when that does not work within a second or so. */
  probeAccept(): Promise<void>;
  /**
   * Ended deliveries, their events and keys past their time, in transactions of at most `limit` rows per table;
   * returns how many, 0 when there is nothing more to do now. Open ones stay. Never by a clock that ran ahead.
   */
  prune(retentionMs: number, idempotencyMs: number, limit: number): Promise<number>;
  statistics(): Promise<StoreStatistics>;
  /**
   * Leaves a notice for each webhook and hour in which deliveries were given up, once that hour is over, at most
   * `limit` of them; returns how many. What was told longer than `retentionMs` ago is forgotten.
   */
  tellGivenUp(retentionMs: number, limit: number): Promise<number>;
  /** Deliveries that are due and whose webhook is active, counted up to `cap`. */
  countDue(cap: number): Promise<number>;
}
