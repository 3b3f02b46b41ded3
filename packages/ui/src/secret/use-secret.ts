import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/query-keys.ts";
import { useSession } from "../session/session-context.ts";

/** A webhook's secrets; asked for only when somebody wants to see or copy them. */
export function useSecret(webhookId: string, wanted: boolean) {
  const { client } = useSession();
  return useQuery({
    queryKey: keys.secret(webhookId),
    enabled: wanted,
    staleTime: 60_000,
    gcTime: 60_000,
    queryFn: async ({ signal }) => await client.secrets.reveal(webhookId, { signal }),
  });
}
