import type { ReplayRange } from "@markethook/client";
import { useSession } from "../session/session-context.ts";
import { useSteps } from "./use-steps.ts";

/** Sends a range of a webhook's deliveries again. */
export function useReplay(webhookId: string) {
  const { client } = useSession();
  return useSteps<ReplayRange>({
    count: async (range) => await client.replay.count(webhookId, range),
    run: async (range, options) => await client.replay.run(webhookId, range, options),
    look: async () => await client.sendWaiting.count(webhookId),
  });
}
