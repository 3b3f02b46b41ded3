import { given } from "@markethook/protocol";
import type { Kysely, Selectable } from "kysely";
import type {
  AuditAction,
  AuditActor,
  AuditFilter,
  AuditRow,
  AuditSubject,
  AuditValues,
} from "../../port/audit.ts";
import type { LogPage, LogPosition } from "../../port/log-page.ts";
import type { Tables } from "../../tables.ts";
import { pageInParts } from "../log/page-in-parts.ts";
import { detailsOf } from "../readable.ts";

/** The log is read in portions of this many rows: of all, or of one owner or subject, which have indexes. */
const EXAMINED = 20_000;

/** A page of the audit log. */
export async function listAudit(
  db: Kysely<Tables>,
  filter: AuditFilter,
  page: LogPosition,
): Promise<LogPage<AuditRow>> {
  return await pageInParts(page, async (part) => {
    const above = await downTo(db, filter, part.beforeSeq, page.examined ?? EXAMINED);
    const rows = await rowsOf(db, filter, part, above).execute();
    const end = above === 0 ? null : above + 1;
    const nextSeq = rows.length === part.limit ? (rows.at(-1)?.no ?? null) : end;
    return { items: rows.map(toAuditRow), nextSeq };
  });
}

/** The number down to which (exclusive) one portion reads; 0: to the end. */
async function downTo(
  db: Kysely<Tables>,
  { ownerId, subjectId }: AuditFilter,
  beforeSeq: number | null,
  examined: number,
): Promise<number> {
  let query = db.selectFrom("audit").select("no").orderBy("no", "desc").limit(1);
  if (subjectId !== undefined) query = query.where("subject_id", "=", subjectId);
  else if (ownerId !== null) query = query.where("owner_id", "=", ownerId);
  else {
    // All rows together have numbers without gaps.
    const newest = beforeSeq === null ? ((await query.executeTakeFirst())?.no ?? 0) : beforeSeq - 1;
    return Math.max(0, newest - examined);
  }
  if (beforeSeq !== null) query = query.where("no", "<", beforeSeq);
  return (await query.offset(examined).executeTakeFirst())?.no ?? 0;
}

function rowsOf(
  db: Kysely<Tables>,
  filter: AuditFilter,
  { beforeSeq, limit }: LogPosition,
  above: number,
) {
  const { ownerId, resourceId, subjectId, subjectKinds, withoutKind } = filter;
  const { actorId, action, from, to } = filter;
  const subject = {
    owner_id: ownerId ?? undefined,
    resource_id: resourceId,
    subject_id: subjectId,
  };
  const same = given({ ...subject, actor_id: actorId, action });
  let query = db.selectFrom("audit").selectAll().where("no", ">", above);
  query = query.where(({ and }) => and(same));
  if (subjectKinds !== undefined) query = query.where("subject_kind", "in", subjectKinds);
  if (withoutKind !== undefined) query = query.where("subject_kind", "<>", withoutKind);
  if (from !== undefined) query = query.where("at", ">=", from);
  if (to !== undefined) query = query.where("at", "<", to);
  if (beforeSeq !== null) query = query.where("no", "<", beforeSeq);
  return query.orderBy("no", "desc").limit(limit);
}

/** Only words of the port are ever stored. */
function toAuditRow(row: Selectable<Tables["audit"]>): AuditRow {
  return {
    no: row.no,
    at: row.at,
    actor: {
      kind: row.actor_kind as AuditActor["kind"],
      id: row.actor_id,
      name: row.actor_name,
      requestId: row.request_id,
    },
    action: row.action as AuditAction,
    subject: { kind: row.subject_kind as AuditSubject, id: row.subject_id },
    ownerId: row.owner_id,
    resourceId: row.resource_id,
    before: valuesOf(row.was),
    after: valuesOf(row.became),
  };
}

function valuesOf(text: string | null): AuditValues | null {
  return text === null ? null : detailsOf(text);
}
