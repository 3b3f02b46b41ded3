import type { Transaction } from "kysely";
import { UPDATE_ORDER_KEY } from "../../hot/numbers.ts";
import { orderLock } from "../../hot/order-lock.ts";
import type { ImportRecord, ImportResult, ImportStore } from "../../port/imports.ts";
import type { Tables } from "../../tables.ts";
import type { ActingContext, NewAuditEntry } from "../audit/audit-write.ts";
import { databaseNow } from "../context.ts";
import { createImportKeys } from "./import-keys.ts";
import { importedBefore, readKnown, resourceIds } from "./import-known.ts";
import { ImportPlan } from "./import-plan.ts";
import { writePlan } from "./import-write.ts";
import { repeatIfNewMeanwhile } from "../resources/put-resources.ts";
import { RESOURCES_TOGETHER } from "../resources/resources.ts";

/**
 * Allows one import at a time: two runs over the same file must not both find a webhook new. No resource has this id.
 */
const ONE_AT_A_TIME = orderLock("", UPDATE_ORDER_KEY);

/** Reads the stored data, decides in memory, and writes the result, portion by portion. */
export function createImports(context: ActingContext): ImportStore {
  const { transact, reader, encryption, dialect } = context;
  const keys = createImportKeys(context.dedupeSecret);

  async function store(records: readonly ImportRecord[]): Promise<ImportResult[]> {
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
      await context.writeAudit(trx, [...portionEntry(judged, now), ...written.entries]);
      return { results: judged, changed: written.changed };
    };
    const { results, changed } = await repeatIfNewMeanwhile(async () => await transact(write));
    if (changed.length > 0) {
      context.webhooksChanged(changed);
      // A paused webhook may be active now, and have held deliveries.
      context.deliveriesReady();
    }
    return results;
  }

  return {
    async run(records, { dryRun }) {
      if (records.length === 0) return [];
      if (dryRun) {
        const plan = new ImportPlan(await readKnown(reader, keys, records), keys, encryption);
        return records.map((record) => plan.judge(record));
      }
      const results: ImportResult[] = [];
      for (const portion of portionsOf(records)) results.push(...(await store(portion)));
      return results;
    },
  };
}

/**
 * Each portion is one transaction, so that other writers get their turns in between. In a portion a resource gets one owner
 * at most: the end of one owner's time is written before the next one's begins.
 */
function portionsOf(records: readonly ImportRecord[]): ImportRecord[][] {
  let portion: ImportRecord[] = [];
  const portions = [portion];
  let owners = new Map<string, string>();
  let large = 0;
  for (const record of records) {
    const isLarge = record.kind === "resource" || record.kind === "webhook";
    if ((isLarge && large === RESOURCES_TOGETHER) || givesAway(record, owners)) {
      portions.push((portion = []));
      owners = new Map();
      large = 0;
    }
    if (record.kind === "resource") owners.set(record.id, record.ownerId);
    if (isLarge) large += 1;
    portion.push(record);
  }
  return portions;
}

/** Whether the record changes the owner that an earlier one of the same portion names. */
function givesAway(record: ImportRecord, owners: ReadonlyMap<string, string>): boolean {
  return record.kind === "resource" && (owners.get(record.id) ?? record.ownerId) !== record.ownerId;
}

/** One audit row for a portion that has changed something. */
function portionEntry(results: readonly ImportResult[], now: number): NewAuditEntry[] {
  const created = results.filter((result) => result.kind === "created").length;
  const updated = results.filter((result) => result.kind === "updated").length;
  if (created + updated === 0) return [];
  const subject = { kind: "import", id: String(now) } as const;
  const after = { created, updated };
  return [{ action: "import.run", subject, after }];
}
