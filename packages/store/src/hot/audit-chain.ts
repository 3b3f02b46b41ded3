import { createHash, createHmac } from "node:crypto";
import type { AuditActor, AuditRow, AuditValues } from "../port/audit.ts";
import type { HealthState } from "./webhook-health.ts";
import { text } from "./rows.ts";

/** An audit row to be written. Its place in the chain is found at the end of the transaction. */
export interface AuditEntry
  extends
    Pick<AuditRow, "at" | "action" | "subject">,
    Partial<Pick<AuditRow, "ownerId" | "resourceId">> {
  before?: AuditValues;
  after?: AuditValues;
}

/** A row of the table. */
export interface StoredAuditRow {
  no: number;
  at: number;
  key_id: string;
  actor_kind: string;
  actor_id: string | null;
  actor_name: string;
  action: string;
  subject_kind: string;
  subject_id: string;
  owner_id: string | null;
  resource_id: string | null;
  was: string | null;
  became: string | null;
  request_id: string | null;
  hash: string;
}

/** The order in which a row's values are hashed never changes. */
const HASHED_COLUMNS = [
  "no",
  "at",
  "key_id",
  "actor_kind",
  "actor_id",
  "actor_name",
  "action",
  "subject_kind",
  "subject_id",
  "owner_id",
  "resource_id",
  "was",
  "became",
  "request_id",
] as const satisfies (keyof StoredAuditRow)[];

export const AUDIT_COLUMNS = [...HASHED_COLUMNS, "hash"] as const;

/**
 * Number and hash of the newest row. `mac` proves that we wrote them; otherwise the last rows could be removed
 * unnoticed.
 */
export interface AuditHead {
  no: number;
  hash: string;
  mac: string;
}

export interface AuditKey {
  id: string;
  key: Uint8Array;
}

/** Derived from the stored key, which outlives every master key, so that old rows can always be checked. */
export function auditKeyOf(dedupeSecret: Uint8Array): AuditKey {
  const key = createHmac("sha256", dedupeSecret).update("markethook audit").digest();
  return { id: createHash("sha256").update(key).digest("base64url").slice(0, 8), key };
}

/** Returns the rows of these entries after `head`, and the new head. */
export function chainRows(
  key: AuditKey,
  head: { no: number; hash: string },
  actor: AuditActor,
  entries: readonly AuditEntry[],
): { rows: StoredAuditRow[]; head: AuditHead } {
  let last = head;
  const rows = entries.map((entry) => {
    const row = {
      no: last.no + 1,
      at: entry.at,
      key_id: key.id,
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_name: actor.name,
      action: entry.action,
      subject_kind: entry.subject.kind,
      subject_id: entry.subject.id,
      owner_id: entry.ownerId ?? null,
      resource_id: entry.resourceId ?? null,
      was: valuesText(entry.before),
      became: valuesText(entry.after),
      request_id: actor.requestId,
    };
    last = { no: row.no, hash: rowHash(key, last.hash, row) };
    return { ...row, hash: last.hash };
  });
  return { rows, head: { ...last, mac: headMac(key, last) } };
}

/**
 * Keyed hash of the row's content and of the row before. To change one row, an attacker would have to change all later
 * ones.
 */
export function rowHash(
  { key }: AuditKey,
  before: string,
  row: Omit<StoredAuditRow, "hash">,
): string {
  const content = HASHED_COLUMNS.map((name) => row[name]);
  return createHmac("sha256", key)
    .update(JSON.stringify([before, ...content]))
    .digest("base64url");
}

export function headMac({ key }: AuditKey, { no, hash }: { no: number; hash: string }): string {
  return createHmac("sha256", key).update(`head ${no} ${hash}`).digest("base64url");
}

function valuesText(values: AuditValues | undefined): string | null {
  return values === undefined ? null : JSON.stringify(values);
}

/** The change of a webhook's state by its receiver's answer. */
export function stateEntry(
  webhook: Record<string, unknown>,
  before: HealthState,
  after: HealthState,
  at: number,
): AuditEntry {
  return {
    at,
    action: after.state === "disabled" ? "webhook.disable" : "webhook.recover",
    subject: { kind: "webhook", id: text(webhook["id"]) },
    ownerId: text(webhook["owner_id"]),
    resourceId: text(webhook["resource_id"]),
    before: { state: before.state, disabledReason: before.reason },
    after: { state: after.state, disabledReason: after.reason },
  };
}
