import { instant } from "@markethook/protocol";
import type { AuditRow } from "@markethook/store";

/** For an owner the marketplace is one author: the names of its keys are hidden. */
export function auditView(row: AuditRow, forOwner: boolean) {
  const { kind, id, name, requestId } = row.actor;
  const hidden = forOwner && kind !== "portal_session";
  return {
    ...row,
    at: instant(row.at),
    actor: { kind, id: hidden ? null : id, name: hidden ? null : name },
    requestId,
  };
}
