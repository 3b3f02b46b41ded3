import type { Transaction } from "kysely";
import { UPDATE_ORDER_KEY } from "../../hot/numbers.ts";
import { orderLock } from "../../hot/order-lock.ts";
import type { ImportResult, ImportStore } from "../../port/imports.ts";
import type { Tables } from "../../tables.ts";
import type { ActingContext, NewAuditEntry } from "../audit/audit-write.ts";
import { databaseNow } from "../context.ts";
import { createImportKeys } from "./import-keys.ts";
import { importedBefore, readKnown, resourceIds } from "./import-known.ts";
import { ImportPlan } from "./import-plan.ts";
import { writePlan } from "./import-write.ts";
import { repeatIfNewMeanwhile } from "../resources/put-resources.ts";

/**
 * Allows one import at a time: two runs over the same file must not both find a webhook new. No resource has this id.
 */
const ONE_AT_A_TIME = orderLock("", UPDATE_ORDER_KEY);

/** Reads the stored data, decides in memory, and writes the result, in one transaction. */
export function createImports(context: ActingContext): ImportStore {
  const { transact, reader, encryption, dialect } = context;
  const keys = createImportKeys(context.dedupeSecret);
  return {
    async run(records, { dryRun }) {
      if (records.length === 0) return [];
      if (dryRun) {
        const plan = new ImportPlan(await readKnown(reader, keys, records), keys, encryption);
        return records.map((record) => plan.judge(record));
      }
      const write = async (trx: Transaction<Tables>) => {
        await dialect.takeInOrder(trx, [ONE_AT_A_TIME], 0);
        const locked = await dialect.lockRows(trx, "resources", resourceIds(records));
        // As in accepting, and before anything is read: a report of the same first download now waits.
        await dialect.takeInOrder(
          trx,
          records.flatMap((record) =>
            record.kind === "firstDownload" ? [orderLock(record.resourceId, record.userId)] : [],
          ),
          0,
        );
        // An owner's change that is not committed yet must not be overwritten.
        await dialect.lockRows(trx, "webhooks", await importedBefore(trx, keys, records));
        const known = await readKnown(trx, keys, records);
        known.resources = known.resources.filter(({ id }) => locked.has(id));
        const plan = new ImportPlan(known, keys, encryption);
        const now = await databaseNow(trx);
        const judged = records.map((record) => plan.judge(record));
        const written = await writePlan(trx, dialect, plan, encryption, now);
        await context.writeAudit(trx, [...batchEntry(judged, now), ...written.entries]);
        return { results: judged, changed: written.changed };
      };
      const { results, changed } = await repeatIfNewMeanwhile(async () => await transact(write));
      if (changed.length > 0) {
        context.webhooksChanged(changed);
        // A paused webhook may be active now, and have held deliveries.
        context.deliveriesReady();
      }
      return results;
    },
  };
}

/** One audit row for a batch that has changed something. */
function batchEntry(results: readonly ImportResult[], now: number): NewAuditEntry[] {
  const created = results.filter((result) => result.kind === "created").length;
  const updated = results.filter((result) => result.kind === "updated").length;
  if (created + updated === 0) return [];
  const subject = { kind: "import", id: String(now) } as const;
  const after = { created, updated };
  return [{ action: "import.run", subject, after }];
}
