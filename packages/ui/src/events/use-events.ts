import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { keys } from "../api/query-cache.ts";
import { firstFilledPage, unwrap } from "../api/answers.ts";
import { useSession } from "../session/session.ts";

const PAGE_SIZE = 50;

/** Events of the owner's resources, newest first. */
export function useEvents(userId: number | undefined) {
  const { client, info } = useSession();
  return useInfiniteQuery({
    queryKey: [...keys.events(info.resourceId ?? undefined), userId ?? null],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        limit: PAGE_SIZE,
        ...(info.resourceId === null ? {} : { resourceId: info.resourceId }),
        ...(userId === undefined ? {} : { userId }),
      };
      return await firstFilledPage(pageParam, async (cursor) => {
        const params = { query: { ...query, ...(cursor === null ? {} : { cursor }) } };
        return await unwrap(client.api.GET("/v1/events", { params, signal }));
      });
    },
    getNextPageParam: (last) => last.nextCursor,
  });
}

/** Per webhook, why an event arrived or did not. */
export function useExplanation(eventId: string) {
  const { client } = useSession();
  return useQuery({
    queryKey: keys.explanation(eventId),
    queryFn: async ({ signal }) => await client.events.explain(eventId, { signal }),
  });
}
