import { HIDDEN, shownUrl } from "@markethook/protocol";
import { headSeal, rowHash } from "../hot/audit-chain.ts";
import type { AuditFacts } from "../port/audit.ts";
import type { SealingStep } from "./sealing-step.ts";

const AT_ONCE = 500;

/**
 * Rows of the audit log tell what a URL was and became. The chain of hashes is made again from the first row that
 * changes. A row that did not fit the chain before keeps its hash, so that it does not fit it after either.
 */
export const hideInAudit: SealingStep = async (trx, { auditKey }, after) => {
  // Held, as whoever adds rows does it.
  const head = await trx
    .updateTable("audit_head")
    .set((eb) => ({ no: eb.ref("no") }))
    .returning(["no", "hash", "seal"])
    .executeTakeFirstOrThrow();
  const rows = await trx
    .selectFrom("audit")
    .selectAll()
    .where("no", ">", after.no)
    .orderBy("no")
    .limit(AT_ONCE)
    .execute();
  const link = await trx
    .selectFrom("audit")
    .select("hash")
    .where("no", "=", after.no)
    .executeTakeFirst();
  let old = { no: after.no, hash: after.hash ?? "" };
  let last = { no: after.no, hash: link?.hash ?? "" };
  for (const row of rows) {
    const fits = row.no === old.no + 1 && rowHash(auditKey, old.hash, row) === row.hash;
    const hidden = { ...row, was: withoutUrl(row.was), became: withoutUrl(row.became) };
    const hash = fits ? rowHash(auditKey, last.hash, hidden) : row.hash;
    if (hash !== row.hash || hidden.was !== row.was || hidden.became !== row.became) {
      const set = { was: hidden.was, became: hidden.became, hash };
      await trx.updateTable("audit").set(set).where("no", "=", row.no).execute();
    }
    old = { no: row.no, hash: row.hash };
    last = { no: row.no, hash };
  }
  if (rows.length === AT_ONCE) return { examined: rows.length, next: old };
  const fits =
    head.no === old.no && head.hash === old.hash && head.seal === headSeal(auditKey, old);
  if (fits && last.hash !== old.hash) {
    const seal = headSeal(auditKey, last);
    await trx.updateTable("audit_head").set({ hash: last.hash, seal }).execute();
  }
  return { examined: rows.length, next: null };
};

function withoutUrl(text: string | null): string | null {
  if (text === null) return null;
  const facts = JSON.parse(text) as AuditFacts; // Written by us.
  const { url } = facts;
  if (typeof url !== "string" || url.endsWith(HIDDEN)) return text;
  return JSON.stringify({ ...facts, url: shownUrl(url) });
}
