import type { Kysely } from "kysely";
import type { Instance } from "../../port/instances.ts";
import { masterKeyId } from "../../encryption.ts";
import { instanceOf } from "../../hot/rows.ts";
import type { Tables } from "../../tables.ts";
import { countRows } from "../count-rows.ts";
import { databaseNow } from "../context.ts";

/** Number of due deliveries of active webhooks, up to `cap`, including those behind an earlier one. */
export async function countDue(db: Kysely<Tables>, cap: number): Promise<number> {
  const now = await databaseNow(db);
  const due = db
    .selectFrom("pending as d")
    .innerJoin("webhooks as w", "w.no", "d.webhook_no")
    .select("d.seq")
    .where("w.state", "=", "active")
    .where("d.due_at", "<=", now);
  return await countRows(db, due.limit(cap));
}

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
