import type { Client } from "@markethook/client";
import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/query-keys.ts";

const REFRESH_MS = 2000;

export function useOverview(client: Client) {
  return useQuery({
    queryKey: keys.operator(),
    refetchInterval: REFRESH_MS,
    gcTime: 0,
    queryFn: async ({ signal }) => await client.operator({ signal }),
  });
}
