export interface ApiKey {
  id: string;
  name: string;
  scopes: string[];
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  /** It was revoked, or has expired by the database's clock. */
  hasEnded: boolean;
  lastUsedAt: number | null;
  /** CIDRs from which the key is accepted; none: from anywhere. */
  addresses: string[];
}

export interface NewApiKey extends Pick<ApiKey, "id" | "name" | "scopes" | "expiresAt"> {
  /** Hex, of the whole key. */
  hash: string;
  addresses?: readonly string[];
}

export interface ApiKeyStore {
  create(key: NewApiKey): Promise<ApiKey>;
  /** False, and nothing is stored: there is a key already. Of several callers at the same time one succeeds. */
  createFirst(key: NewApiKey): Promise<boolean>;
  findByHash(hash: string): Promise<ApiKey | null>;
  list(): Promise<ApiKey[]>;
  /**
   * `absent`: unknown, or revoked before. `last`: no other key could make keys; nothing was changed. `evenLast` revokes
   * it.
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
  /** For the operator, with an empty `ownerId`: a chat platform answered too many requests as invalid. */
  | "chat_paused"
  | "chat_template_failed";

export interface Notice {
  no: number;
  kind: NoticeKind;
  ownerId: string;
  resourceId: string;
  webhookId: string | null;
  /** Facts as words and numbers, without secrets. */
  detail: Record<string, string | number | null>;
  createdAt: number;
}

export interface NoticeStore {
  /** Oldest first, above `after`. */
  list(after: number, limit: number, ownerId: string | null): Promise<Notice[]>;
  /** Newest first, for people. */
  newest(limit: number): Promise<Notice[]>;
}

/**
 * Position of posting notices to the marketplace. One instance at a time has the right to post, for some time. The
 * number moves on only after its notice was accepted, so each is posted at least once, and in order.
 */
export interface NoticePostStore {
  /**
   * Takes or keeps the right. Returns the number of the last posted notice; null: another instance has the right. The
   * very first call begins after the notices that exist by then.
   */
  take(holder: string, forMs: number): Promise<number | null>;
  /** False: another instance has the right by now. */
  advance(holder: string, no: number, forMs: number): Promise<boolean>;
  /** Gives the right up before a stop, so that another instance need not wait. */
  release(holder: string): Promise<void>;
  /** Null before the very first `take`. `oldestAt`: milliseconds since the epoch. */
  lag(): Promise<{ unposted: number; oldestAt: number | null } | null>;
}

export interface SuspectCount {
  level: number;
  count: number;
}

export interface StoreStatistics {
  pending: number;
  leased: number;
  webhooks: { active: number; paused: number; disabled: number };
  /** Number of poison suspects by level, as long as they are treated so; above 10: quarantined. */
  suspects: SuspectCount[];
  instances: number;
  sizeBytes: number;
}

export interface Maintenance {
  /** Milliseconds since the epoch, by the database's clock. */
  now(): Promise<number>;
  /** Rejects with `store_unavailable` if a write fails. */
  checkWritable(): Promise<void>;
  /** Keeps the settings of an instance that starts, as one text. Returns those of the last start; null at the first. */
  noteSettings(settings: string): Promise<string | null>;
  /** Stores an event as accepting does and rolls it back. Rejects if that does not work within about a second. */
  tryAccept(): Promise<void>;
  /**
   * Deletes ended deliveries, their events and keys after their time, in transactions of at most `limit` rows per
   * table. So do notices after that time and at least 30 days, but not those still to be posted, nor the one that says
   * since when a webhook is disabled. Returns how many; 0 when there is nothing more to do now. Open deliveries stay.
   * Never uses a clock that ran ahead.
   */
  prune(retentionMs: number, idempotencyMs: number, limit: number): Promise<number>;
  statistics(): Promise<StoreStatistics>;
  /**
   * Makes a notice for each webhook and hour in which deliveries were given up, a minute after that hour; at most `limit` of them.
   * Deletes some of the counts that were told longer than `retentionMs` ago. Returns how many it told and deleted; 0 when
   * there is nothing more to do now.
   */
  tellGivenUp(retentionMs: number, limit: number): Promise<number>;
  /**
   * Call every few seconds. After the database's clock was set back, it gives waiting deliveries that seem to be made in
   * the future the present time, and moves their other times with it. Otherwise they would stand still until the clock is
   * there again. Reads the newest ones, at most `limit` at once. Returns how many, and by how much the clock was set back.
   */
  followClock(limit: number): Promise<{ moved: number; byMs: number }>;
  /** Number of due deliveries of active webhooks, counted up to `cap`. */
  countDue(cap: number): Promise<number>;
}
