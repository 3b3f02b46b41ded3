import { answerOf, callOptions, withQuery, type CallOptions, type Context } from "./call.ts";
import { eachItem, type ListOptions } from "./pages.ts";
import type { AuditCheck, AuditEntry, AuditFilter } from "./schemas.ts";

export interface CheckOptions extends CallOptions {
  onProgress?: (progress: { checked: number }) => void;
}

export function createAudit(context: Context) {
  const { api } = context;

  return {
    /** Who changed what, newest first. Needs the scope `audit:read`. */
    list(
      filter: AuditFilter = {},
      options: ListOptions & CallOptions = {},
    ): AsyncGenerator<AuditEntry, void, undefined> {
      return eachItem(
        options,
        async (page) =>
          await answerOf(
            api.GET("/v1/audit", withQuery(context, { ...filter, ...page }, options)),
            "items",
          ),
      );
    },

    /** Whether all rows are as they were written, step by step until one is not. Needs the scope `admin`. */
    async check(options: CheckOptions = {}): Promise<Omit<AuditCheck, "next">> {
      let checked = 0;
      for (let after = 0; ;) {
        const step = await answerOf(
          api.GET("/v1/audit/check", {
            params: { query: { after } },
            ...callOptions(context, options),
          }),
          "checked",
        );
        checked += step.checked;
        options.onProgress?.({ checked });
        const { next, head, broken } = step;
        if (next === null) return { checked, head, broken };
        after = next;
      }
    },
  };
}
