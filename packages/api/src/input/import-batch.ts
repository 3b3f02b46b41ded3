import type { ImportRecord, ImportResult } from "@markethook/store";
import type { Static } from "typebox";
import type { AppDeps } from "../app-deps.ts";
import type { Rejection } from "./event-input.ts";
import { rejectedItem } from "./batch-results.ts";
import type { ImportResultView } from "../schemas/import.ts";

type ResultView = Static<typeof ImportResultView>;

/** Names are looked up in parallel, but not a thousand at once. */
const LOOKUPS = 64;

const DELETED_SINCE = "It was deleted here after it had been imported, and stays deleted.";
const REFUSALS = {
  resource_unknown: { pointer: "/resourceId" },
  webhook_limit_reached: { pointer: "/resourceId" },
  import_conflict: { pointer: "" },
} as const;
/** The general advice is about events. */
const RESOURCE_FIRST = "Put a record of its resource before it, or PUT the resource first.";

/**
 * Refuses webhooks with a URL that is not allowed. Only those that would be written are judged: a name that no longer
 * resolves must not make an unchanged record a rejected one.
 */
export async function findUrlFaults(
  deps: AppDeps,
  records: readonly ImportRecord[],
): Promise<Map<ImportRecord, Rejection>> {
  const refused = new Map<ImportRecord, Rejection>();
  if (!records.some((record) => record.kind === "webhook")) return refused;
  const expected = await deps.store.imports.run(records, { dryRun: true });
  const judged = records.flatMap((record, i) =>
    record.kind === "webhook" && expected[i]?.kind !== "unchanged" ? [record] : [],
  );
  const faults = await judgeUrls(
    deps,
    judged.map((record) => record.url),
  );
  for (const record of judged) {
    const fault = faults.get(record.url);
    if (fault !== undefined) refused.set(record, fault);
  }
  return refused;
}

/** Returns why URLs are refused; allowed ones are not in it. Each is judged once. */
async function judgeUrls(deps: AppDeps, urls: readonly string[]): Promise<Map<string, Rejection>> {
  const faults = new Map<string, Rejection>();
  const rest = [...new Set(urls)].values();
  const work = async (): Promise<void> => {
    for (const url of rest) {
      const check = await deps.checkTarget(url);
      if (!check.ok) faults.set(url, { code: check.code, detail: check.sentence, pointer: "/url" });
    }
  };
  await Promise.all(Array.from({ length: LOOKUPS }, work));
  return faults;
}

export function storedResult(result: ImportResult, position: number, dryRun: boolean): ResultView {
  if (result.kind === "rejected") {
    return rejectedResult({ code: result.code, ...REFUSALS[result.code] }, position);
  }
  return {
    status: result.kind,
    ...(dryRun || result.webhookId === undefined ? {} : { webhookId: result.webhookId }),
    ...(result.kind === "unchanged" && result.deleted ? { detail: DELETED_SINCE } : {}),
  };
}

export function rejectedResult(rejection: Rejection, position: number): ResultView {
  const result = rejectedItem("records", rejection, position);
  return rejection.code === "resource_unknown" ? { ...result, detail: RESOURCE_FIRST } : result;
}

export function countResults(results: readonly ResultView[]): Record<string, number> {
  const counts: Record<string, number> = { created: 0, updated: 0, unchanged: 0, rejected: 0 };
  for (const { status } of results) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
