import type { Kysely } from "kysely";
import { masterKeyId } from "../encryption.ts";
import { instanceOf } from "../hot/rows.ts";
import type { Instance } from "../port/instances.ts";
import type { Tables } from "../tables.ts";

/**
 * Stores the ids of an instance's master keys. A rotation to another key first checks that all running instances know
 * it.
 */
export async function noteKeys(
  db: Kysely<Tables>,
  instanceNo: number,
  masterKeys: readonly Uint8Array[],
): Promise<void> {
  const key_ids = masterKeys.map(masterKeyId).join(" ");
  await db
    .updateTable("instances")
    .set({ key_ids })
    .where("instance_no", "=", instanceNo)
    .execute();
}

export async function listInstances(db: Kysely<Tables>): Promise<Instance[]> {
  const rows = await db.selectFrom("instances").selectAll().orderBy("instance_no").execute();
  return rows.map(instanceOf);
}
