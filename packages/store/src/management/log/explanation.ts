import { parseEventId } from "@markethook/protocol";
import type { Kysely } from "kysely";
import { maskMatches } from "../../hot/kinds.ts";
import type { EventAndWebhooks, EventStore, WebhookAndEvent } from "../../port/events.ts";
import type { DeliverySummary } from "../../port/delivery-log.ts";
import type { Tables } from "../../tables.ts";
import type { ManagementContext } from "../context.ts";
import { deliveriesByNumber, listDeliveries } from "./delivery-list.ts";
import { eventSummary, listStoredEvents } from "./event-list.ts";
import { padded } from "../padded.ts";
import { readableOnly } from "../readable.ts";
import { inOwnersTime } from "../resources/owners-times.ts";
import { webhookIs } from "../webhooks/webhook-filter.ts";
import { selectWebhooks, type WebhookRow } from "../webhooks/webhook-row.ts";

const MOST_WEBHOOKS = 100;
const MOST_DELIVERIES = 1000;

export function createEventReader({
  reader,
}: ManagementContext): Pick<EventStore, "find" | "list" | "explain"> {
  return {
    async find(id, ownerId) {
      const event = await findEvent(reader, id, ownerId);
      if (event === null) return null;
      const { payload, details } = event.row;
      return { ...event.summary, payload, details };
    },
    list: (filter, page) => listStoredEvents(reader, filter, page),
    explain: (id, ownerId) => explainEvent(reader, id, ownerId),
  };
}

/** See `EventStore.details`. */
export async function listDetails(
  db: Kysely<Tables>,
  eventSeqs: readonly number[],
): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom("events")
    .select(["seq", "details"])
    .where("seq", "in", eventSeqs)
    .where("details", "is not", null)
    .execute();
  return new Map(rows.map(({ seq, details }) => [seq, details ?? ""]));
}

/** Reads the stored facts about an event and each webhook of its resource. Null when absent or foreign. */
async function explainEvent(
  db: Kysely<Tables>,
  id: string,
  ownerId: string | null,
): Promise<EventAndWebhooks | null> {
  const event = await findEvent(db, id, ownerId);
  if (event === null) return null;
  const { items } = await listDeliveries(
    db,
    { ownerId, eventId: id },
    { beforeSeq: null, limit: MOST_DELIVERIES },
  );
  const newest = new Map<string, DeliverySummary>();
  // They come newest first, so the last assignment would be the oldest.
  for (const delivery of items.reverse()) newest.set(delivery.webhookId, delivery);
  const webhooks = await webhooksOf(db, event.row.resource_id, ownerId);
  const since = await disabledSince(db, webhooks);
  const earlier = await behind(db, [...newest.values()]);
  const lines = webhooks.map((row): WebhookAndEvent => {
    const delivery = newest.get(row.id) ?? null;
    return {
      webhookId: row.id,
      url: row.shown_url,
      // Only these words are ever stored.
      state: row.state as WebhookAndEvent["state"],
      disabledReason: row.reason as WebhookAndEvent["disabledReason"],
      stateSince: row.state === "paused" ? row.paused_at : (since.get(row.id) ?? null),
      chosenNow: maskMatches(row.mask, event.row.kind),
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      deletedAt: row.deleted_at,
      delivery,
      behindDeliveryId: delivery === null ? null : (earlier.get(delivery.seq) ?? null),
    };
  });
  return { event: event.summary, webhooks: lines };
}

/** Null when absent or foreign, and for an event that only a newer version knows, as in lists. */
async function findEvent(db: Kysely<Tables>, id: string, ownerId: string | null) {
  const parsed = parseEventId(id);
  if (parsed === null) return null;
  let query = db
    .selectFrom("events as e")
    .selectAll("e")
    .where("e.seq", "=", parsed.seq)
    .where("e.tag", "=", parsed.tag);
  if (ownerId !== null) query = query.where(inOwnersTime("e", ownerId));
  const rows = await query.execute();
  return readableOnly(rows, (row) => ({ row, summary: eventSummary(row) }))[0] ?? null;
}

async function webhooksOf(
  db: Kysely<Tables>,
  resourceId: string,
  ownerId: string | null,
): Promise<WebhookRow[]> {
  const rows = async (deleted: boolean, limit: number): Promise<WebhookRow[]> => {
    const query = selectWebhooks(db)
      .where(webhookIs({ ownerId, resourceId }))
      .where("w.deleted_at", deleted ? "is not" : "is", null);
    return await query.orderBy("w.no", "desc").limit(limit).execute();
  };
  const there = await rows(false, MOST_WEBHOOKS);
  const room = MOST_WEBHOOKS - there.length;
  return room > 0 ? [...there, ...(await rows(true, room))] : there;
}

/** From the notice about it. */
async function disabledSince(
  db: Kysely<Tables>,
  webhooks: readonly WebhookRow[],
): Promise<Map<string, number>> {
  const ids = webhooks.filter((row) => row.state === "disabled").map((row) => row.id);
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("notices")
    .select(["webhook_id", "created_at"])
    .where("webhook_id", "in", ids)
    .where("kind", "=", "webhook_disabled")
    .orderBy("no")
    .execute();
  return new Map(rows.map((row) => [row.webhook_id ?? "", row.created_at]));
}

/** Returns the nearest earlier open delivery of the same (webhook, order key) for each of these waiting ones. */
async function behind(
  db: Kysely<Tables>,
  deliveries: readonly DeliverySummary[],
): Promise<Map<number, string>> {
  const seqs = deliveries.filter(({ state }) => state === "waiting").map(({ seq }) => seq);
  if (seqs.length === 0) return new Map();
  const rows = await db
    .selectFrom("pending as d")
    .select("d.seq")
    .select(({ selectFrom }) => {
      const earlier = (table: "leased" | "pending") =>
        selectFrom(`${table} as o` as "leased as o") // Both tables have these columns.
          .select(({ fn }) => fn.max("o.seq").as("seq"))
          .whereRef("o.webhook_no", "=", "d.webhook_no")
          .whereRef("o.order_key", "=", "d.order_key")
          .whereRef("o.seq", "<", "d.seq");
      return [earlier("leased").as("leased"), earlier("pending").as("pending")];
    })
    .where("d.seq", "in", padded(seqs))
    .execute();
  const nearest = new Map(
    rows.map(({ seq, leased, pending }) => [seq, Math.max(leased ?? 0, pending ?? 0)]),
  );
  const found = await deliveriesByNumber(db, [...new Set(nearest.values())]);
  const ids = new Map(found.map(({ seq, deliveryId }) => [seq, deliveryId]));
  return new Map(
    [...nearest].flatMap(([seq, earlier]) => {
      const id = ids.get(earlier);
      return id === undefined ? [] : [[seq, id] as const];
    }),
  );
}
