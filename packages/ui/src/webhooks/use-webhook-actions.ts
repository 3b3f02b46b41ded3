import type { HeldDeliveries, RotateInput, WebhookChange } from "@markethook/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { keys } from "../api/query-cache.ts";
import { useSession } from "../session/session.ts";

/** Everything that changes a webhook; each refreshes what is shown of it. */
export function useWebhookActions(id: string) {
  const { client } = useSession();
  const queries = useQueryClient();
  const refresh = async (): Promise<void> => {
    void queries.invalidateQueries({ queryKey: keys.deliveries() });
    await queries.invalidateQueries({ queryKey: keys.webhooks() });
  };
  const refreshSecret = async (): Promise<void> => {
    await queries.invalidateQueries({ queryKey: keys.secret(id) });
    await refresh();
  };
  return {
    change: useMutation({
      mutationFn: async (change: WebhookChange) => await client.webhooks.change(id, change),
      onSuccess: refreshSecret,
      // It may be that somebody else has changed it: then that is shown.
      onError: refresh,
    }),
    pause: useMutation({
      mutationFn: async () => await client.webhooks.pause(id),
      onSuccess: refresh,
    }),
    resume: useMutation({
      mutationFn: async (held: HeldDeliveries) => await client.webhooks.resume(id, held),
      onSuccess: refresh,
    }),
    rotate: useMutation({
      mutationFn: async (input: RotateInput) => await client.secrets.rotate(id, input),
      onSuccess: refreshSecret,
    }),
    switchSecret: useMutation({
      mutationFn: async () => await client.secrets.switch(id),
      onSuccess: refreshSecret,
    }),
    cancelRotation: useMutation({
      mutationFn: async () => await client.secrets.cancelRotation(id),
      onSuccess: refreshSecret,
    }),
    copy: useMutation({
      mutationFn: async (resourceIds: string[]) => await client.webhooks.copy(id, resourceIds),
      onSuccess: refresh,
    }),
    remove: useMutation({
      mutationFn: async () => await client.webhooks.delete(id),
      onSuccess: () => {
        queries.removeQueries({ queryKey: keys.webhook(id) });
        return refresh();
      },
    }),
  };
}
