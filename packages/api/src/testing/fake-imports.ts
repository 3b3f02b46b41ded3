import type { ImportRecord, ImportResult, ImportStore } from "@markethook/store";
import type { FakeResources } from "./fake-resources.ts";

/** Knows records again by their words, and resources by their id: enough for route tests. */
export interface FakeImports extends ImportStore {
  /** As they came from the edge. */
  stored: ImportRecord[];
}

export function createFakeImports(resources: FakeResources): FakeImports {
  const known = new Set<string>();
  const fake: FakeImports = {
    stored: [],
    async run(records, { dryRun }) {
      return records.map((record): ImportResult => {
        const words = JSON.stringify({ ...record, newId: "" });
        if (known.has(words)) return { kind: "unchanged", deleted: false };
        if (record.kind !== "resource" && !resources.rows.has(record.resourceId)) {
          return { kind: "rejected", code: "resource_unknown" };
        }
        if (dryRun) return { kind: "created" };
        known.add(words);
        fake.stored.push(record);
        if (record.kind === "resource") void resources.put([record]);
        return { kind: "created" };
      });
    },
  };
  return fake;
}
