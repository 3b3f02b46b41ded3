import type { AuditAction, AuditSubject } from "@markethook/protocol";
import type { LogPage, LogPosition } from "./log-page.ts";

export type { AuditAction, AuditSubject };

/** The author of a change. */
export interface AuditActor {
  kind: "api_key" | "portal_session" | "system" | "command_line";
  /** Id of the key or session. */
  id: string | null;
  /** Name for people: of a key, of a session's owner, or of a command. */
  name: string;
  requestId: string | null;
}

/** The service itself. */
export const SYSTEM: AuditActor = {
  kind: "system",
  id: null,
  name: "markethook",
  requestId: null,
};

/** Facts about the subject, without secrets. For a change: only the values that differ. */
export type AuditValues = Record<string, unknown>;

/** One change: its author, its kind, and the values before and after. */
export interface AuditRow {
  /** Counted from 1 without gaps. */
  no: number;
  /** Milliseconds since the epoch. */
  at: number;
  actor: AuditActor;
  action: AuditAction;
  subject: { kind: AuditSubject; id: string };
  /** Its owner at the time of the change; null: none. */
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
  /** Only changes of these kinds of subjects. */
  subjectKinds?: readonly AuditSubject[];
  /** All but changes of this kind of subject. */
  withoutKind?: AuditSubject;
  actorId?: string;
  action?: AuditAction;
  /** At or after, before; milliseconds since the epoch. */
  from?: number;
  to?: number;
}

export interface AuditCheck {
  /** Number of rows checked in this step. */
  checked: number;
  /** Go on after this number; null: the check is at its end. */
  nextNo: number | null;
  /** The newest row. Kept elsewhere, it proves later that no row up to it was removed. */
  head: { no: number; hash: string };
  /** The first row that was changed, or is missing. */
  broken: { no: number; why: string } | null;
}

/** Rows are only added, in the transaction of the change that they describe. */
export interface AuditStore {
  list(filter: AuditFilter, page: LogPosition): Promise<LogPage<AuditRow>>;
  /** Checks at most `limit` rows after `afterNo` against the chain of keyed hashes. */
  verify(afterNo: number, limit: number): Promise<AuditCheck>;
}
