import type { PingResult } from "@markethook/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { keys } from "../api/query-cache.ts";
import { useLiveStatus } from "../live/live-context.tsx";
import { useSession } from "../session/session.ts";

export interface PingControl {
  send: (secret: "current" | "next") => void;
  dismiss: () => void;
  isPending: boolean;
  result: PingResult | null;
  error: unknown;
  /** Which secret signed it. */
  secret: "current" | "next";
}

/** Exactly one request per press. */
export function usePing(webhookId: string): PingControl {
  const { client } = useSession();
  const queries = useQueryClient();
  const live = useLiveStatus();
  const ping = useMutation({
    mutationFn: async (secret: "current" | "next") =>
      await client.webhooks.ping(webhookId, { secret }),
    // The ping stays pending until the log is read again: a log that says "nothing sent yet" would contradict its reply.
    onSettled: async (_result, error) => {
      // A live stream reports the ping too, and webhooks are read after that. A refusal may mean that the webhook was
      // deleted elsewhere.
      if (live !== "live" || error !== null)
        void queries.invalidateQueries({ queryKey: keys.webhooks() });
      await queries.invalidateQueries({ queryKey: keys.logs() });
    },
  });
  return {
    send: (secret) => {
      globalThis.scrollTo({ top: 0 });
      ping.mutate(secret);
    },
    dismiss: ping.reset,
    isPending: ping.isPending,
    result: ping.data ?? null,
    error: ping.error,
    secret: ping.variables ?? "current",
  };
}
