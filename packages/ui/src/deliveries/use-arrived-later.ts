import type { Delivery } from "@markethook/client";
import { useQuery } from "@tanstack/react-query";
import { keys } from "../api/query-cache.ts";
import { useSession } from "../session/session.ts";
import { listDeliveries } from "./list-deliveries.ts";

const FAILED: ReadonlySet<string> = new Set(["dead", "cancelled"]);

/** The newest delivery that sent a failed one again, if that arrived or is under way; null: none, or not known yet. */
export function useArrivedLater(failed: Delivery): Delivery | null {
  const { client } = useSession();
  const { id, eventId, webhookId, state, event, createdAt } = failed;
  const query = useQuery({
    queryKey: keys.arrivedLater(id),
    enabled: FAILED.has(state) && event !== "ping",
    queryFn: async ({ signal }) => {
      const filter = { search: eventId, webhookId };
      const { items } = await listDeliveries(client, filter, null, null, signal);
      const isLater = (one: Delivery): boolean => one.id !== id && one.createdAt >= createdAt;
      return items.find((one) => isLater(one) && !FAILED.has(one.state)) ?? null;
    },
  });
  return query.data ?? null;
}
