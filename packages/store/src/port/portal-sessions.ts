/** An owner's right to their own webhooks, for a while. Times are milliseconds since the epoch. */
export interface PortalSession {
  id: string;
  ownerId: string;
  /** Null: all resources of the owner. */
  resourceId: string | null;
  returnUrl: string | null;
  /** Whether who has it may see the owner's secrets. */
  revealsSecrets: boolean;
  createdAt: number;
  /** When its link was opened; null: not yet. */
  openedAt: number | null;
  expiresAt: number;
  /** Renewals end here; null: it cannot be renewed. */
  renewableUntil: number | null;
  /** By a person, or because a resource changed hands. */
  revokedAt: number | null;
}

export interface PortalSessionInput {
  id: string;
  ownerId: string;
  resourceId: string | null;
  returnUrl: string | null;
  revealsSecrets: boolean;
  /** Hex, of the link's code. */
  codeHash: string;
  codeLifetimeMs: number;
  /** Without use, and with any. */
  lifetimeMs: number;
  longestMs: number;
}

/** Open sessions are neither revoked nor expired, by the database's clock. */
export interface PortalSessionStore {
  /** @throws `resource_unknown` where the resource is absent or another owner's. */
  create(input: PortalSessionInput): Promise<PortalSession>;
  /** Once per code, before the code expires: stores the hash of the session's token. Null otherwise. */
  exchange(codeHash: string, tokenHash: string): Promise<PortalSession | null>;
  /** Gives an open session its lifetime again, up to `renewableUntil`. Null when absent or not open. */
  renew(id: string): Promise<PortalSession | null>;
  /** Also a session that has ended. */
  findByToken(tokenHash: string): Promise<PortalSession | null>;
  /** Those of these ids that are open. */
  stillOpen(ids: readonly string[]): Promise<string[]>;
  /** Open ones, the newest first. */
  list(filter: { ownerId: string | null; limit: number }): Promise<PortalSession[]>;
  /** False when absent or not open. */
  revoke(id: string): Promise<boolean>;
}
