import { answerOf, callOptions, type CallOptions, type Context } from "./call.ts";
import type { ImportRecord, ImportResult } from "./schemas.ts";

export interface ImportOptions extends CallOptions {
  /** The same results, and nothing is changed. */
  dryRun?: boolean;
}

export function createImports(context: Context) {
  return {
    /** Up to 1,000 records and 4 MiB; one result per record, in order. Whole files: `markethook import`. */
    async run(
      records: ImportRecord[],
      { dryRun = false, ...options }: ImportOptions = {},
    ): Promise<ImportResult[]> {
      const answer = await answerOf(
        context.api.POST("/v1/import", {
          body: { records, dryRun },
          // A record that was stored already is answered as unchanged.
          ...callOptions(context, options, { repeatable: true }),
        }),
        "results",
      );
      return answer.results;
    },
  };
}
