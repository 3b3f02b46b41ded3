import type { AuditAction } from "@markethook/protocol";

export type { AuditAction };

/** Who changes something. */
export interface AuditActor {
  kind: "api_key" | "portal_session" | "system" | "command_line";
  /** Of the key or session. */
  id: string | null;
  /** For people: a key's name, a session's owner, a command. */
  name: string;
  requestId: string | null;
}

/** The service by itself. */
export const SYSTEM: AuditActor = {
  kind: "system",
  id: null,
  name: "markethook",
  requestId: null,
};

export const AUDIT_SUBJECTS = [
  "webhook",
  "delivery",
  "resource",
  "api_key",
  "portal_session",
  "import",
  "user",
] as const;

export type AuditSubject = (typeof AUDIT_SUBJECTS)[number];

/** Facts about the subject, without secrets: of one that changed only what did. */
export type AuditValues = Record<string, unknown>;

/** One change: who, what, and what it was before and after. */
export interface AuditRow {
  /** Counted from 1 without gaps. */
  no: number;
  /** Milliseconds since the epoch. */
  at: number;
  actor: AuditActor;
  action: AuditAction;
  subject: { kind: AuditSubject; id: string };
  /** Whose it was when it was changed; null: nobody's. */
  ownerId: string | null;
  resourceId: string | null;
  before: AuditValues | null;
  after: AuditValues | null;
}

export interface AuditFilter {
  /** Null: as the marketplace. */
  ownerId: string | null;
  resourceId?: string;
  subjectId?: string;
  /** Only about these kinds of things. */
  subjectKinds?: readonly AuditSubject[];
  actorId?: string;
  action?: AuditAction;
  /** At or after, before; milliseconds since the epoch. */
  from?: number;
  to?: number;
}

export interface AuditCheck {
  /** Rows looked at in this step. */
  checked: number;
  /** Go on after this number; null: the check is at its end. */
  nextNo: number | null;
  /** The newest row. Written down elsewhere, it shows later that nothing up to there was taken away. */
  head: { no: number; hash: string };
  /** The first row that is not as it was written, or missing. */
  broken: { no: number; why: string } | null;
}

/** Rows are only ever added, in the transaction of the change that they tell of. */
export interface AuditStore {
  /** Newest first, `no` below `beforeNo`. */
  list(filter: AuditFilter, page: { beforeNo: number | null; limit: number }): Promise<AuditRow[]>;
  /** Checks at most `limit` rows after `afterNo` against the chain of keyed hashes. */
  verify(afterNo: number, limit: number): Promise<AuditCheck>;
}
