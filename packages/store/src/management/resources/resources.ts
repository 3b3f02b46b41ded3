import type { Kysely, Selectable, Transaction } from "kysely";
import { mustGet } from "../../hot/must-get.ts";
import type { Resource, ResourceInput, ResourceStore } from "../../port/resources.ts";
import type { Tables } from "../../tables.ts";
import { resourceEntry, resourceValues } from "../audit/audit-values.ts";
import { type ActingContext, difference, type NewAuditEntry } from "../audit/audit-write.ts";
import { endOwnersTimes } from "./owners-times.ts";
import { putResources, repeatIfNewMeanwhile } from "./put-resources.ts";
import { insertNotices } from "../notices/notices.ts";
import { endBoundSessions, endSessionsOf } from "../auth/portal-sessions.ts";
import { forgetCounts } from "../webhooks/attempt-counts.ts";
import { deletedWebhook } from "../webhooks/webhook-row.ts";
import { databaseNow, EVERYTHING, type ManagementContext } from "../context.ts";
import { padded } from "../padded.ts";
import { fileVersionOf } from "../readable.ts";

/**
 * Resources, and imported webhooks, of one transaction. On SQLite reports wait for it, and a change of owner disables up to
 * a hundred webhooks of each.
 */
export const RESOURCES_TOGETHER = 50;

export function createResources(context: ActingContext): ResourceStore {
  const { transact, reader, dialect, webhooksChanged, writeAudit } = context;

  /** `byId`: sorted. Returns the ids of those that were there before. */
  async function putSome(
    byId: ReadonlyMap<string, ResourceInput>,
    isOne: boolean,
  ): Promise<string[]> {
    const ids = [...byId.keys()];
    let changed: number[] = [];
    const put = async (trx: Transaction<Tables>): Promise<string[]> => {
      const locked = await dialect.lockRows(trx, "resources", ids);
      const now = await databaseNow(trx);
      const read = await trx.selectFrom("resources").selectAll().where("id", "in", ids).execute();
      const rows = read.filter((row) => locked.has(row.id));
      const before = rows.filter((row) => row.deleted_at === null);
      const subtitles = new Map(before.map((row) => [row.id, row.subtitle]));
      const sold = before.flatMap((row) => {
        const { ownerId } = mustGet(byId, row.id);
        return row.owner_id === ownerId ? [] : [{ before: row, ownerId }];
      });
      changed = await changeOwners(trx, dialect, sold, now);
      await putResources(
        trx,
        ids.map((id) => ({ subtitle: subtitles.get(id) ?? "", ...mustGet(byId, id) })),
        new Set(rows.map((row) => row.id)),
        now,
      );
      await writeAudit(trx, await changeEntries(trx, ids, before, isOne));
      return before.map((row) => row.id);
    };
    const known = await repeatIfNewMeanwhile(async () => await transact(put));
    if (changed.length > 0) webhooksChanged(changed);
    return known;
  }

  return {
    async put(resources) {
      // If one is named twice, the last counts, as if they had come one after the other.
      const byId = new Map(resources.map((resource) => [resource.id, resource]));
      const sorted = [...byId].sort(([one], [other]) => (one < other ? -1 : 1));
      const known = new Set<string>();
      for (let from = 0; from < sorted.length; from += RESOURCES_TOGETHER) {
        const some = new Map(sorted.slice(from, from + RESOURCES_TOGETHER));
        for (const id of await putSome(some, sorted.length === 1)) known.add(id);
      }
      return resources.map(({ id }) => {
        if (known.has(id)) return "updated";
        known.add(id);
        return "created";
      });
    },

    async find(id) {
      const row = await reader
        .selectFrom("resources")
        .selectAll()
        .where("id", "=", id)
        .where("deleted_at", "is", null)
        .executeTakeFirst();
      return row === undefined ? null : toResource(row);
    },

    async list({ ownerId, afterId, limit }) {
      let query = reader.selectFrom("resources").selectAll().where("deleted_at", "is", null);
      if (ownerId !== undefined) query = query.where("owner_id", "=", ownerId);
      if (afterId !== undefined) query = query.where("id", ">", afterId);
      return (await query.orderBy("id").limit(limit).execute()).map(toResource);
    },

    async delete(id) {
      const changed = await transact(async (trx) => {
        const now = await databaseNow(trx);
        const deleted = await trx
          .updateTable("resources")
          .set({ deleted_at: now, updated_at: now, file_version: null })
          .where("id", "=", id)
          .where("deleted_at", "is", null)
          .returningAll()
          .executeTakeFirst();
        if (deleted === undefined) return null;
        await lockWebhooks(trx, dialect, [id]);
        // It may come back with another owner.
        await endOwnersTimes(trx, dialect, [deleted]);
        await endBoundSessions(trx, id, now);
        const webhooks = await trx
          .updateTable("webhooks")
          .set(deletedWebhook(now, "resource_deleted"))
          .where("resource_id", "=", id)
          .where("deleted_at", "is", null)
          .returning(["no", "id"])
          .execute();
        const nos = webhooks.map((row) => row.no);
        await forgetCounts(trx, nos);
        await writeAudit(trx, [
          resourceEntry(deleted, "resource.delete", {
            before: {
              ownerId: deleted.owner_id,
              title: deleted.title,
              webhooks: webhooks.map((row) => row.id),
            },
          }),
        ]);
        return nos;
      });
      if (changed !== null) webhooksChanged(changed);
      return changed !== null;
    },
  };
}

/**
 * For one resource every change is recorded; for many at once only new owners, because a marketplace may send all its
 * resources every night.
 */
async function changeEntries(
  trx: Kysely<Tables>,
  ids: readonly string[],
  before: readonly Selectable<Tables["resources"]>[],
  isOne: boolean,
): Promise<NewAuditEntry[]> {
  const rows = await trx.selectFrom("resources").selectAll().where("id", "in", ids).execute();
  const known = new Map(before.map((row) => [row.id, row]));
  return rows.flatMap((row) => {
    const old = known.get(row.id);
    if (old === undefined) {
      const after = resourceValues(row);
      return isOne ? [resourceEntry(row, "resource.create", { after })] : [];
    }
    if (!isOne && old.owner_id === row.owner_id) return [];
    const changed = difference(resourceValues(old), resourceValues(row));
    return changed === null ? [] : [resourceEntry(old, "resource.change", changed)];
  });
}

/** A resource before its owner changed, and the new owner. */
export interface OwnerChange {
  before: Selectable<Tables["resources"]>;
  ownerId: string;
}

/**
 * Ends the old owners' time and sessions, disables their webhooks and makes notices for old and new owners. Returns the
 * numbers of those webhooks.
 */
export async function changeOwners(
  trx: Transaction<Tables>,
  dialect: ManagementContext["dialect"],
  changes: readonly OwnerChange[],
  now: number,
): Promise<number[]> {
  if (changes.length === 0) return [];
  const resources = changes.map(({ before }) => before);
  const ids = resources.map(({ id }) => id);
  // First, as reports wait from the end of the owners' times on.
  await lockWebhooks(trx, dialect, ids);
  const upto = await endOwnersTimes(trx, dialect, resources);
  await endSessionsOf(trx, resources, now);
  const webhooks = await disableSold(trx, ids, upto, now);
  const byResource = Map.groupBy(webhooks, (row) => row.resource_id);
  await insertNotices(
    trx,
    changes.flatMap(({ before: { id, owner_id: from }, ownerId: to }) => {
      const detail = { from, to, webhooksDisabled: byResource.get(id)?.length ?? 0 };
      return [from, to].map((owner_id) => {
        return { kind: "owner_changed" as const, about: { owner_id, resource_id: id }, detail };
      });
    }),
  );
  return webhooks.map((row) => row.no);
}

/** The state of a webhook whose resource got another owner. */
export const SOLD = {
  state: "disabled",
  reason: "owner_changed",
  cancel_before: EVERYTHING,
  cancel_reason: "owner_changed",
} as const;

/** Disables the webhooks of the owners whose time has just ended. */
async function disableSold(
  trx: Transaction<Tables>,
  resourceIds: readonly string[],
  upto: number,
  now: number,
): Promise<{ no: number; resource_id: string }[]> {
  return await trx
    .updateTable("webhooks")
    .set({ ...SOLD, probe_at: null, updated_at: now, resume_after_cancel: 0 })
    .where("resource_id", "in", padded(resourceIds))
    // Not those of an owner before.
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("past_owners as p")
          .select("p.upto")
          .whereRef("p.owner_id", "=", "webhooks.owner_id")
          .whereRef("p.resource_id", "=", "webhooks.resource_id")
          .where("p.upto", "=", upto),
      ),
    )
    .where("deleted_at", "is", null)
    .returning(["no", "resource_id"])
    .execute();
}

/** Before a statement that changes several, which would lock them in any order. New ones wait for their resource. */
async function lockWebhooks(
  trx: Transaction<Tables>,
  dialect: ManagementContext["dialect"],
  resourceIds: readonly string[],
): Promise<void> {
  const rows = await trx
    .selectFrom("webhooks")
    .select("id")
    .where("resource_id", "in", padded(resourceIds))
    .where("deleted_at", "is", null)
    .execute();
  await dialect.lockRows(
    trx,
    "webhooks",
    rows.map((row) => row.id),
  );
}

export function toResource(row: Selectable<Tables["resources"]>): Resource {
  return {
    id: row.id,
    ownerId: row.owner_id,
    title: row.title,
    subtitle: row.subtitle,
    fileVersion: fileVersionOf(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
