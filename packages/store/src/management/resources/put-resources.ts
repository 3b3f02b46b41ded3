import { given } from "@markethook/protocol";
import type { Transaction } from "kysely";
import type { Resource } from "../../port/resources.ts";
import type { Tables } from "../../tables.ts";

interface NewResource extends Pick<Resource, "id" | "ownerId" | "title" | "subtitle"> {
  fileVersion?: Resource["fileVersion"];
  /** Absent: it is not from an import. */
  importHash?: string | null;
}

/** Another call has stored a resource that this one took for new, perhaps with another owner. */
class NewMeanwhile extends Error {}

/** Runs a transaction that calls `putResources`, and again with the rows of others. */
export async function repeatIfNewMeanwhile<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      // It ends, because rows of resources stay.
      if (!(error instanceof NewMeanwhile)) throw error;
    }
  }
}

/**
 * Inserts or changes these, sorted by id. `known`: those that have a locked row. A new resource has no row to lock, so
 * others may insert it meanwhile. Rows without an import's hash keep theirs.
 */
export async function putResources(
  trx: Transaction<Tables>,
  resources: readonly NewResource[],
  known: ReadonlySet<string>,
  now: number,
): Promise<void> {
  const rows = resources.map(
    ({ id, ownerId, title, subtitle, fileVersion = null, importHash }) => ({
      id,
      owner_id: ownerId,
      title,
      subtitle,
      file_version: fileVersion === null ? null : JSON.stringify(fileVersion),
      created_at: now,
      updated_at: now,
      deleted_at: null,
      ...given({ import_hash: importHash }),
    }),
  );
  const added = rows.filter(({ id }) => !known.has(id));
  if (added.length > 0) {
    const inserted = await trx
      .insertInto("resources")
      .values(added)
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .execute();
    if (inserted.length < added.length) throw new NewMeanwhile();
  }
  const changed = rows.filter(({ id }) => known.has(id));
  if (changed.length === 0) return;
  const isImport = resources.some(({ importHash }) => importHash !== undefined);
  await trx
    .insertInto("resources")
    .values(changed)
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet((eb) => ({
        owner_id: eb.ref("excluded.owner_id"),
        title: eb.ref("excluded.title"),
        subtitle: eb.ref("excluded.subtitle"),
        file_version: eb.fn.coalesce("excluded.file_version", "resources.file_version"),
        updated_at: eb.ref("excluded.updated_at"),
        deleted_at: null,
        ...(isImport ? { import_hash: eb.ref("excluded.import_hash") } : {}),
      })),
    )
    .execute();
}
