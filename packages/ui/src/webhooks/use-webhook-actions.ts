import type { HeldDeliveries, RotateInput, WebhookChange } from "@markethook/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
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
  // After a refusal too: somebody else may have changed it, and then that is shown.
  const settled = { onSuccess: refresh, onError: refresh };
  return {
    change: useMutation({
      mutationFn: async (change: WebhookChange) => await client.webhooks.change(id, change),
      ...settled,
    }),
    pause: useMutation({
      mutationFn: async () => await client.webhooks.pause(id),
      ...settled,
    }),
    resume: useMutation({
      mutationFn: async (held: HeldDeliveries) => await client.webhooks.resume(id, held),
      ...settled,
    }),
    rotate: useMutation({
      mutationFn: async (input: RotateInput) => await client.secrets.rotate(id, input),
      ...settled,
    }),
    switchSecret: useMutation({
      mutationFn: async () => await client.secrets.switch(id),
      ...settled,
    }),
    cancelRotation: useMutation({
      mutationFn: async () => await client.secrets.cancelRotation(id),
      ...settled,
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

/**
 * Forgets the error of a save once nothing differs from what is saved: the save was stored and only its answer was lost,
 * or the change was taken back.
 */
export function useErrorOfDirty(
  { error, reset }: { error: Error | null; reset: () => void },
  isDirty: boolean,
): Error | null {
  const isOver = error !== null && !isDirty;
  useEffect(() => {
    if (isOver) reset();
  }, [isOver, reset]);
  return isDirty ? error : null;
}
