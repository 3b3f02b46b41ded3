import { ApiError, type Client } from "@markethook/client";
import {
  type Query,
  QueryClient,
  type QueryFilters,
  useQuery,
  type UseQueryOptions,
} from "@tanstack/react-query";
import type { ActivityScope } from "../activity/spans.ts";
import type { LogFilter } from "../deliveries/log-filter.ts";
import { useSession } from "../session/session.ts";

/** How often what changes by itself is read again while it is shown. */
export const REFRESH_MS = 15_000;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // The client has retried what is safe already.
        retry: false,
        // Otherwise a view would wait without a word; so it shows what the client says.
        networkMode: "always",
        refetchOnReconnect: "always",
        refetchOnWindowFocus: (query) => !(query.state.error instanceof ApiError),
      },
      mutations: { networkMode: "always" },
    },
  });
}

/**
 * Invalidates, and reads once more what is being read for the first time: that answer can be from before the change. Where
 * the next page of a list is on its way, the list is read again after it, because the reader asked for that page.
 * Resolves when all of it was read, or could not be.
 */
export async function readAgain(queries: QueryClient, filters: QueryFilters): Promise<void> {
  const waits = ({ state }: Query): boolean =>
    state.fetchStatus === "fetching" &&
    (state.data === undefined || state.fetchMeta?.fetchMore !== undefined);
  const once = queries
    .getQueryCache()
    .findAll({ ...filters, predicate: both(filters, waits) })
    .map(async (query) => {
      try {
        await query.promise;
      } catch {
        if (query.state.data === undefined) return; // It says so itself.
      }
      await queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
    });
  const others = both(filters, (query) => !waits(query));
  await Promise.all([queries.invalidateQueries({ ...filters, predicate: others }), ...once]);
}

/**
 * The returned function reads the fitting queries again after a delay. Calls during the delay change nothing. Calls during
 * a reading lead to one more after it: invalidating would begin the reading again, and where replies are slow, none would
 * be shown.
 */
export function createLaterReading(
  queries: QueryClient,
  filters: QueryFilters,
  { delayMs, signal }: { delayMs: number; signal: AbortSignal },
): () => void {
  let isWanted = false;
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    while (isWanted) {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      if (signal.aborted) return;
      isWanted = false;
      await readAgain(queries, filters);
    }
    isRunning = false;
  };
  return () => {
    isWanted = true;
    if (!isRunning) void run();
  };
}

function both({ predicate }: QueryFilters, other: (query: Query) => boolean) {
  return (query: Query): boolean => (predicate?.(query) ?? true) && other(query);
}

/** All keys of cached answers; anyone who changes something invalidates by them. */
export const keys = {
  resources: () => ["resources"] as const,
  webhooks: () => ["webhooks"] as const,
  webhook: (id: string) => ["webhooks", id] as const,
  waiting: (id: string) => ["webhooks", id, "waiting"] as const,
  secret: (id: string) => ["secret", id] as const,
  url: (id: string) => ["secret", id, "url"] as const,
  deliveries: () => ["deliveries"] as const,
  logs: () => ["deliveries", "log"] as const,
  log: (filter: LogFilter) => ["deliveries", "log", filter] as const,
  oneByOne: () => ["deliveries", "one"] as const,
  delivery: (id: string) => ["deliveries", "one", id] as const,
  activity: (scope: ActivityScope, span: string) => ["activity", scope, span] as const,
  arrivedLater: (id: string) => ["deliveries", "arrivedLater", id] as const,
  failures: (webhookId: string) => ["deliveries", "failures", webhookId] as const,
  events: (resourceId: string | undefined) => ["events", resourceId ?? null] as const,
  explanation: (eventId: string) => ["explanation", eventId] as const,
  urlChecks: () => ["url-check"] as const,
  urlCheck: (url: string, resourceId: string | null, webhookId: string | null) =>
    ["url-check", url, resourceId, webhookId] as const,
  operator: () => ["operator"] as const,
};

/** Reads something with the session's client, and keeps it under the key. */
export function useRead<Data>(
  queryKey: readonly unknown[],
  read: (client: Client, signal: AbortSignal) => Promise<Data>,
  options: Omit<UseQueryOptions<Data>, "queryKey" | "queryFn"> = {},
) {
  const { client } = useSession();
  const queryFn = async ({ signal }: { signal: AbortSignal }) => await read(client, signal);
  return useQuery<Data>({ ...options, queryKey, queryFn });
}
