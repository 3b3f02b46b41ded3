import type { Resource } from "@markethook/client";
import { useQuery } from "@tanstack/react-query";
import { useSession } from "../session/session.ts";
import { keys } from "./query-cache.ts";

/** More are not offered for choosing; their pages open with their own session. */
const MOST = 500;

/** The owner's resources, or the one that the session is bound to. */
export function useResources() {
  const { client, info } = useSession();
  return useQuery({
    queryKey: keys.resources(),
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<Resource[]> => {
      if (info.resourceId !== null)
        return [await client.resources.get(info.resourceId, { signal })];
      const found: Resource[] = [];
      for await (const resource of client.resources.list({ signal })) {
        found.push(resource);
        if (found.length === MOST) break;
      }
      return found;
    },
  });
}
