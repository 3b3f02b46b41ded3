import type { Selectable } from "kysely";
import { headMac, rowHash } from "../../hot/audit-chain.ts";
import type { AuditCheck, AuditStore } from "../../port/audit.ts";
import type { Tables } from "../../tables.ts";
import type { ManagementContext } from "../context.ts";
import { listAudit } from "./audit-list.ts";

export function createAudit({ reader, auditKey }: ManagementContext): AuditStore {
  return {
    list: (filter, page) => listAudit(reader, filter, page),

    async verify(afterNo, limit) {
      // The head is read first: rows that are added meanwhile lie behind it.
      const head = await reader
        .selectFrom("audit_head")
        .select(["no", "hash", "mac"])
        .executeTakeFirst();
      if (head === undefined) return broken(0, { no: 0, hash: "" }, 1, "its end is not known");
      const rows = await reader
        .selectFrom("audit")
        .selectAll()
        .where("no", ">=", afterNo)
        .where("no", "<=", head.no)
        .orderBy("no")
        .limit(limit + 1)
        .execute();
      const { no, hash } = head;
      let last = { no: afterNo, hash: "" };
      if (afterNo > 0) {
        const link = rows.shift();
        if (link?.no !== afterNo) return broken(0, { no, hash }, afterNo, "it is missing");
        last = link;
      }
      let checked = 0;
      for (const row of rows.slice(0, limit)) {
        const fault = faultOf(row, last);
        if (fault !== null) return broken(checked, { no, hash }, last.no + 1, fault);
        last = row;
        checked += 1;
      }
      if (checked === limit && last.no < no)
        return { checked, nextNo: last.no, head: { no, hash }, broken: null };
      if (last.no !== no) return broken(checked, { no, hash }, last.no + 1, "it is missing");
      const mac = no === 0 ? "" : headMac(auditKey, head);
      if (last.hash !== hash || head.mac !== mac)
        return broken(checked, { no, hash }, no + 1, "rows after the last one were taken away");
      return { checked, nextNo: null, head: { no, hash }, broken: null };
    },
  };

  function faultOf(
    row: Selectable<Tables["audit"]>,
    last: { no: number; hash: string },
  ): string | null {
    if (row.no !== last.no + 1) return "it is missing";
    if (row.key_id !== auditKey.id) return "it was written with another key";
    return rowHash(auditKey, last.hash, row) === row.hash ? null : "it was changed";
  }
}

function broken(checked: number, head: AuditCheck["head"], no: number, why: string): AuditCheck {
  return { checked, nextNo: null, head, broken: { no, why } };
}
