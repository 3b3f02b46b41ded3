import type { Kysely, Selectable } from "kysely";
import type { Notice, NoticeKind, NoticeStore } from "../../port/administration.ts";
import type { Tables } from "../../tables.ts";
import type { ManagementContext } from "../context.ts";
import { detailsOf } from "../readable.ts";

export function createNotices({ reader }: ManagementContext): NoticeStore {
  return {
    async list(after, limit, ownerId) {
      const settled = await settledNotices(reader);
      let query = reader
        .selectFrom("notices")
        .selectAll()
        .where("no", ">", after)
        .where("no", "<=", settled);
      if (ownerId !== null) query = query.where("owner_id", "=", ownerId);
      return (await query.orderBy("no").limit(limit).execute()).map(toNotice);
    },

    async newest(limit) {
      const rows = await reader
        .selectFrom("notices")
        .selectAll()
        .orderBy("no", "desc")
        .limit(limit)
        .execute();
      return rows.map(toNotice);
    },
  };
}

/** Up to this number no notice is missing that a running transaction may still add. To be read before the notices. */
export async function settledNotices(reader: Kysely<Tables>): Promise<number> {
  const settled = await reader
    .selectNoFrom((eb) => eb.fn<number>("mh_settled_notices", []).as("no"))
    .executeTakeFirstOrThrow();
  return settled.no;
}

function toNotice(row: Selectable<Tables["notices"]>): Notice {
  return {
    no: row.no,
    kind: row.kind as NoticeKind, // Only these words are ever stored.
    ownerId: row.owner_id,
    resourceId: row.resource_id,
    webhookId: row.webhook_id,
    detail: detailsOf(row.detail),
    createdAt: row.created_at,
  };
}

export interface NewNotice extends Pick<Notice, "kind" | "detail"> {
  /** The webhook, or the resource for this owner; null: it is for the operator. */
  about:
    | (Pick<Selectable<Tables["webhooks"]>, "owner_id" | "resource_id"> & { id?: string })
    | null;
}

/** In this order. */
export async function insertNotices(
  db: Kysely<Tables>,
  notices: readonly NewNotice[],
): Promise<void> {
  if (notices.length === 0) return;
  await db
    .insertInto("notices")
    .values(({ fn }) =>
      notices.map(({ about, kind, detail }) => ({
        kind,
        owner_id: about?.owner_id ?? "",
        resource_id: about?.resource_id ?? "",
        webhook_id: about?.id ?? null,
        detail: JSON.stringify(detail),
        created_at: fn<number>("mh_now", []),
      })),
    )
    .execute();
}
