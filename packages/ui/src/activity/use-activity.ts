import type { Client } from "@markethook/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { keys } from "../api/query-keys.ts";
import { type ActivityScope, rangeOf, type SpanName } from "./spans.ts";

const REFRESH_MS = 15_000;

export function useActivity(client: Client, scope: ActivityScope, span: SpanName) {
  return useQuery({
    queryKey: keys.activity(scope, span),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      await client.deliveries.activity({ ...scope, ...rangeOf(span, Date.now()) }, { signal }),
  });
}
