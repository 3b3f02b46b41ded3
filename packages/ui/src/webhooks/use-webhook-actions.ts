import type { HeldDeliveries, RotateInput, WebhookChange } from "@markethook/client";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { keys } from "../api/query-cache.ts";
import { useSession } from "../session/session.ts";
import { words } from "../words/words.ts";

/** Everything that changes a webhook. */
export function useWebhookActions(id: string) {
  const { client } = useSession();
  const queries = useQueryClient();
  return {
    change: useAction(async (change: WebhookChange) => await client.webhooks.change(id, change)),
    pause: useAction(
      async () => await client.webhooks.pause(id),
      () => words.webhooks.paused,
    ),
    resume: useAction(
      async (held: HeldDeliveries) => await client.webhooks.resume(id, held),
      (held) => words.webhooks[held === "send" ? "resumedSending" : "resumedDropping"],
    ),
    rotate: useAction(async (input: RotateInput) => await client.secrets.rotate(id, input)),
    switchSecret: useAction(
      async () => await client.secrets.switch(id),
      () => words.secret.newSigns,
    ),
    cancelRotation: useAction(
      async () => await client.secrets.cancelRotation(id),
      () => words.secret.oldStays,
    ),
    copy: useAction(async (resourceIds: string[]) => await client.webhooks.copy(id, resourceIds)),
    remove: useAction(
      async () => {
        await client.webhooks.delete(id);
        queries.removeQueries({ queryKey: keys.webhook(id) });
      },
      () => words.webhooks.deleted,
    ),
  };
}

/**
 * Refreshes what is shown of webhooks. After a refusal too: somebody else may have changed one, and then that is shown.
 * `said`: what a person reads when it is done.
 */
function useAction<Input = void, Result = void>(
  act: (input: Input) => Promise<Result>,
  said?: (input: Input) => string,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: async (_result, error, input) => {
      void queries.invalidateQueries({ queryKey: keys.deliveries() });
      await queries.invalidateQueries({ queryKey: keys.webhooks() });
      if (error === null && said !== undefined) notifications.show({ message: said(input) });
    },
  });
}

/**
 * Forgets the error of a save once the form equals the saved values: the save was stored and only its answer was lost,
 * or the change was undone.
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
