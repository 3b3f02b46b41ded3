import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/query-cache.ts";
import { useSession } from "../session/session.ts";

const TYPING_MS = 350;

/** What the service thinks of a URL while it is typed; nothing is saved or sent by it. `webhookId`: which one gets it. */
export function useUrlCheck(url: string, resourceId: string | null, webhookId: string | null) {
  const { client } = useSession();
  const [settled] = useDebouncedValue(url.trim(), TYPING_MS);
  const query = useQuery({
    queryKey: keys.urlCheck(settled, resourceId, webhookId),
    enabled: settled !== "",
    staleTime: 60_000,
    queryFn: async ({ signal }) =>
      await client.checks.url(settled, {
        signal,
        ...(resourceId === null ? {} : { resourceId }),
        ...(webhookId === null ? {} : { webhookId }),
      }),
  });
  const current = settled === url.trim() && settled !== "";
  return {
    check: current ? (query.data ?? null) : null,
    checking: current && query.isFetching,
    /** Why there is no check. */
    error: current ? query.error : null,
  };
}
