/** Gives an owner access to their own webhooks for some time. Times are milliseconds since the epoch. */
export interface PortalSession {
  id: string;
  ownerId: string;
  /** Null: all resources of the owner. */
  resourceId: string | null;
  returnUrl: string | null;
  /** Whether the session may see the owner's secrets. */
  revealsSecrets: boolean;
  createdAt: number;
  /** When its link was opened; null: not yet. */
  openedAt: number | null;
  expiresAt: number;
  /** Renewals end here; null: it cannot be renewed. */
  renewableUntil: number | null;
  /** Revoked by a person, or because a resource got another owner. */
  revokedAt: number | null;
}

interface PortalSessionInput extends Pick<
  PortalSession,
  "id" | "ownerId" | "resourceId" | "returnUrl" | "revealsSecrets"
> {
  /** Hash of the link's code, in hex. */
  codeHash: string;
  codeLifetimeMs: number;
  /** Lifetime without use, and at most. */
  lifetimeMs: number;
  longestMs: number;
}

/** Open sessions are neither revoked nor expired, by the database's clock. */
export interface PortalSessionStore {
  /** @throws `resource_unknown` where the resource is absent or another owner's. */
  create(input: PortalSessionInput): Promise<PortalSession>;
  /** Works once per code, before the code expires: stores the hash of the session's token. Null otherwise. */
  exchange(codeHash: string, tokenHash: string): Promise<PortalSession | null>;
  /** Extends an open session by its lifetime, up to `renewableUntil`. Null when absent or not open. */
  renew(id: string): Promise<PortalSession | null>;
  /** Null when there is none, or it is not open. */
  findByToken(tokenHash: string): Promise<PortalSession | null>;
  /** Returns the open ones among these ids. */
  stillOpen(ids: readonly string[]): Promise<string[]>;
  /** Open ones, the newest first. */
  list(filter: { ownerId: string | null; limit: number }): Promise<PortalSession[]>;
  /** False when absent or not open. */
  revoke(id: string): Promise<boolean>;
}
