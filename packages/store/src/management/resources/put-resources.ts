import type { Insertable, Transaction } from "kysely";
import type { Tables } from "../../tables.ts";

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
  rows: readonly Insertable<Tables["resources"]>[],
  known: ReadonlySet<string>,
): Promise<void> {
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
  const isImport = changed.some((row) => row.import_hash !== undefined);
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
