import type { Kysely, Selectable } from "kysely";
import type { ImportRecord } from "../../port/imports.ts";
import type { Tables } from "../../tables.ts";
import type { ImportKeys } from "./import-keys.ts";

/** Reads the stored data that a batch of records is about. */
export interface KnownRows {
  resources: Selectable<Tables["resources"]>[];
  /** The webhooks that were imported before, deleted ones too. */
  webhooks: Selectable<Tables["webhooks"]>[];
  webhookCounts: { resourceId: string; ownerId: string; count: number }[];
  dedupeKeys: string[];
}

/** Each once and sorted, like every lock of several rows. */
export function resourceIds(records: readonly ImportRecord[]): string[] {
  const ids = records.map((one) => (one.kind === "resource" ? one.id : one.resourceId));
  return [...new Set(ids)].sort();
}

/** Ids of the webhooks that were imported before and are named again. */
export async function importedBefore(
  db: Kysely<Tables>,
  keys: ImportKeys,
  records: readonly ImportRecord[],
): Promise<string[]> {
  const webhooks = records.filter((record) => record.kind === "webhook");
  if (webhooks.length === 0) return [];
  const rows = await db
    .selectFrom("webhooks")
    .select("id")
    .where("import_key", "in", webhooks.map(keys.webhookKey))
    .execute();
  return rows.map((row) => row.id);
}

export async function readKnown(
  db: Kysely<Tables>,
  keys: ImportKeys,
  records: readonly ImportRecord[],
): Promise<KnownRows> {
  const webhooks = records.filter((record) => record.kind === "webhook");
  const downloads = records.filter((record) => record.kind === "firstDownload");
  const known: KnownRows = { resources: [], webhooks: [], webhookCounts: [], dedupeKeys: [] };
  known.resources = await db
    .selectFrom("resources")
    .selectAll()
    .where("id", "in", resourceIds(records))
    .execute();
  if (webhooks.length > 0) {
    known.webhooks = await db
      .selectFrom("webhooks")
      .selectAll()
      .where("import_key", "in", webhooks.map(keys.webhookKey))
      .execute();
    const counts = await db
      .selectFrom("webhooks")
      .select(["resource_id as resourceId", "owner_id as ownerId"])
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("resource_id", "in", resourceIds(webhooks))
      .where("deleted_at", "is", null)
      .groupBy(["resource_id", "owner_id"])
      .execute();
    known.webhookCounts = counts.map((row) => Object.assign(row, { count: Number(row.count) }));
  }
  if (downloads.length > 0) {
    const dedupeKeys = downloads.map((one) => keys.firstDownload(one.resourceId, one.userId));
    const rows = await db
      .selectFrom("first_downloads")
      .select("dedupe_key")
      .where("dedupe_key", "in", dedupeKeys)
      .execute();
    known.dedupeKeys = rows.map((row) => row.dedupe_key);
  }
  return known;
}
