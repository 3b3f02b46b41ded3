import { useSession } from "../session/session.ts";
import { useSteps } from "../replay/use-steps.ts";

/** Sends now what a webhook has waiting for a later attempt. */
export function useSendWaiting(webhookId: string) {
  const { client } = useSession();
  return useSteps<null>({
    count: async () => await client.sendWaiting.count(webhookId),
    run: async (_range, options) => await client.sendWaiting.run(webhookId, options),
    look: async () => await client.sendWaiting.count(webhookId),
    takeBack: async () => await client.sendWaiting.stop(webhookId),
  });
}
