import { MarkethookError } from "@markethook/protocol";
import { expressionBuilder, type Kysely, type Selectable, type Transaction } from "kysely";
import { ownerLock } from "../../hot/order-lock.ts";
import type { Tables } from "../../tables.ts";
import type { ManagementContext } from "../context.ts";
import { MOST_SCOPES } from "../log/log-buckets.ts";
import { padded } from "../padded.ts";

/**
 * Ends the time of these resources' owners: stored events stay theirs, even with later owners. It waits for reports that
 * run, and later ones wait for the commit: so an event that was accepted for the old owner has a lower number than the
 * returned one, and no later event has. The resources must be locked. Resources are inserted after it, not before:
 * reports that wait here would otherwise be waited for.
 */
export async function endOwnersTimes(
  trx: Transaction<Tables>,
  { takeInOrder }: ManagementContext["dialect"],
  resources: readonly Selectable<Tables["resources"]>[],
): Promise<number> {
  const locks = resources.map(({ id }) => ownerLock(id));
  const [upto = 0] = await takeInOrder(trx, locks, 1);
  await trx
    .insertInto("past_owners")
    .values(
      resources.map(({ id, owner_id, owned_above }) => ({
        resource_id: id,
        owner_id,
        above: owned_above,
        upto,
      })),
    )
    .execute();
  await trx
    .updateTable("resources")
    .set({ owned_above: upto })
    .where("id", "in", padded(resources.map(({ id }) => id)))
    .execute();
  return upto;
}

/** Whether the resource is there and this owner's now. */
export async function isOwner(
  db: Kysely<Tables>,
  resourceId: string,
  ownerId: string,
): Promise<boolean> {
  const resource = await db
    .selectFrom("resources")
    .select("id")
    .where("id", "=", resourceId)
    .where("owner_id", "=", ownerId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return resource !== undefined;
}

/** @throws `webhook_not_active` if the resource has another owner now. */
export async function checkOwned(
  db: Kysely<Tables>,
  webhook: { resource_id: string; owner_id: string },
): Promise<void> {
  if (await isOwner(db, webhook.resource_id, webhook.owner_id)) return;
  throw new MarkethookError("webhook_not_active", {
    detail: "The resource has another owner now; the webhook belongs to the old one.",
  });
}

/** The statement names the events `d` or `e`. */
const any = expressionBuilder<Tables & { d: Tables["events"]; e: Tables["events"] }, "d" | "e">();

/** Whether the event's resource was this owner's when it was reported. */
export function inOwnersTime(events: "d" | "e", ownerId: string) {
  const now = any
    .selectFrom("resources as o")
    .select("o.id")
    .whereRef("o.id", "=", `${events}.resource_id`)
    .where("o.owner_id", "=", ownerId)
    .whereRef(`${events}.seq`, ">", "o.owned_above");
  const before = any
    .selectFrom("past_owners as p")
    .select("p.upto")
    .whereRef("p.resource_id", "=", `${events}.resource_id`)
    .where("p.owner_id", "=", ownerId)
    .whereRef(`${events}.seq`, ">", "p.above")
    .whereRef(`${events}.seq`, "<=", "p.upto");
  return any.or([any.exists(now), any.exists(before)]);
}

/** The requested resources. */
export interface ResourceScope {
  ids: string[];
  /** Visible events have higher numbers. */
  above: number;
  /** Visible events have lower numbers; null: no such bound. */
  below: number | null;
  /** True if all events of these resources may be seen. */
  isWhole: boolean;
}

/** Null: too many. Deleted resources keep their events. */
export async function resourceScope(
  db: Kysely<Tables>,
  ownerId: string | null,
  resourceId: string | undefined,
): Promise<ResourceScope | null> {
  let current = db.selectFrom("resources").select(["id", "owned_above as above"]);
  if (ownerId !== null) current = current.where("owner_id", "=", ownerId);
  if (resourceId !== undefined) current = current.where("id", "=", resourceId);
  const rows = await current.limit(MOST_SCOPES + 1).execute();
  const past = ownerId === null ? [] : await pastTimes(db, ownerId, resourceId);
  if (rows.length + past.length > MOST_SCOPES) return null;
  const all = [...rows.map((row) => Object.assign(row, { below: null })), ...past];
  return {
    ids: [...new Set(all.map(({ id }) => id))],
    above: ownerId === null ? 0 : Math.min(...all.map(({ above }) => above)),
    below: rows.length > 0 ? null : Math.max(...past.map(({ below }) => below)),
    isWhole: ownerId === null || (past.length === 0 && rows.every(({ above }) => above === 0)),
  };
}

async function pastTimes(db: Kysely<Tables>, ownerId: string, resourceId: string | undefined) {
  let query = db
    .selectFrom("past_owners")
    .select(["resource_id as id", "above", "upto"])
    .where("owner_id", "=", ownerId);
  if (resourceId !== undefined) query = query.where("resource_id", "=", resourceId);
  const rows = await query.limit(MOST_SCOPES + 1).execute();
  return rows.map(({ id, above, upto }) => ({ id, above, below: upto + 1 }));
}
