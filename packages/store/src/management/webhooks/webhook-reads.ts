import type { WebhookStore } from "../../port/webhooks.ts";
import type { ManagementContext } from "../context.ts";
import { padded } from "../padded.ts";
import { hostOf } from "./webhook-address.ts";
import { webhookIs } from "./webhook-filter.ts";
import { selectSendable, toSendable } from "./sendable-webhook.ts";
import { ownWebhook, selectWebhooks, toWebhook } from "./webhook-row.ts";

/** That many are examined: some may be paused or disabled. */
const MOST_FAILING = 1000;

/** The part of the webhooks' store that only reads. */
export function createWebhookReads({
  reader,
  encryption,
}: ManagementContext): Pick<
  WebhookStore,
  "get" | "list" | "listDisabled" | "listFailing" | "hasUrl" | "scopes" | "forSending"
> {
  return {
    async get(id, ownerId) {
      return toWebhook(await ownWebhook(reader, id, ownerId));
    },

    async list({ ownerId, resourceId, afterNo, limit }) {
      let query = selectWebhooks(reader)
        .where("w.deleted_at", "is", null)
        .where(webhookIs({ ownerId, resourceId }));
      if (afterNo !== undefined) query = query.where("w.no", "<", afterNo);
      return (await query.orderBy("w.no", "desc").limit(limit).execute()).map(toWebhook);
    },

    async listDisabled(limit) {
      const rows = await selectWebhooks(reader)
        .where("w.deleted_at", "is", null)
        .where("w.state", "=", "disabled")
        .orderBy("w.updated_at", "desc")
        .limit(limit)
        .execute();
      return rows.map(toWebhook);
    },

    async listFailing(limit) {
      // Many may be failing, so their wide rows are read for the latest alone.
      const latest = await reader
        .selectFrom(
          reader
            .selectFrom("webhook_health")
            .select(["webhook_no", "failing_since"])
            .where("failing_since", "is not", null)
            .orderBy("failing_since", "desc")
            .limit(MOST_FAILING)
            .as("h"),
        )
        .innerJoin("webhooks as w", "w.no", "h.webhook_no")
        .select("w.no")
        .where("w.deleted_at", "is", null)
        .where("w.state", "=", "active")
        .orderBy("h.failing_since", "desc")
        .limit(limit)
        .execute();
      if (latest.length === 0) return [];
      const nos = latest.map(({ no }) => no);
      const rows = await selectWebhooks(reader).where("w.no", "in", padded(nos)).execute();
      return rows.map(toWebhook).sort((a, b) => (b.failingSince ?? 0) - (a.failingSince ?? 0));
    },

    async hasUrl({ ownerId, resourceId, url, exceptId }) {
      let query = reader
        .selectFrom("webhooks")
        .select(["id", "url"])
        .where("resource_id", "=", resourceId)
        .where("host", "=", hostOf(url))
        .where("deleted_at", "is", null)
        .where("owner_id", "=", ownerId);
      if (exceptId !== undefined) query = query.where("id", "!=", exceptId);
      const rows = await query.execute();
      return rows.some((row) => encryption.tryDecrypt(row.url, row.id) === url);
    },

    async scopes(filters, limit) {
      const matching = reader
        .selectFrom("webhooks as w")
        .select(["w.no", "w.id", "w.owner_id as ownerId", "w.resource_id as resourceId"])
        .where("w.deleted_at", "is", null)
        .where(({ or }) => or(filters.map(webhookIs)))
        .limit(limit);
      const newest = await matching.orderBy("w.no", "desc").execute();
      if (newest.length < limit) return newest;
      // Otherwise an owner of thousands would leave nobody else a place.
      return await matching
        .orderBy(({ fn }) =>
          fn
            .agg<number>("row_number")
            .over((of) => of.partitionBy("w.owner_id").orderBy("w.no", "desc")),
        )
        .orderBy("w.no", "desc")
        .execute();
    },

    async forSending(nos) {
      if (nos.length === 0) return [];
      const rows = await selectSendable(reader).where("w.no", "in", padded(nos)).execute();
      return rows.map((row) => toSendable(row, encryption));
    },
  };
}
