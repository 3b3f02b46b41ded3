import type { Kysely } from "kysely";
import type { WebhookScope, WebhookScopeFilter } from "../../port/webhooks.ts";
import type { Tables } from "../../tables.ts";

/** Webhooks that match any of the filters, the newest first. */
export async function webhookScopes(
  db: Kysely<Tables>,
  filters: readonly WebhookScopeFilter[],
  limit: number,
): Promise<WebhookScope[]> {
  const rows = await db
    .selectFrom("webhooks")
    .select(["no", "id", "owner_id", "resource_id"])
    .where("deleted_at", "is", null)
    .where(({ eb, or, and }) =>
      or(
        filters.map(({ ownerId, resourceId, webhookId }) =>
          and([
            ...(ownerId === undefined ? [] : [eb("owner_id", "=", ownerId)]),
            ...(resourceId === undefined ? [] : [eb("resource_id", "=", resourceId)]),
            ...(webhookId === undefined ? [] : [eb("id", "=", webhookId)]),
          ]),
        ),
      ),
    )
    .orderBy("no", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    no: row.no,
    id: row.id,
    ownerId: row.owner_id,
    resourceId: row.resource_id,
  }));
}
