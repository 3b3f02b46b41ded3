import type { Client, Webhook } from "@markethook/client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { keys, useRead } from "../api/query-cache.ts";
import { useSession } from "../session/session.ts";

/** Whether this session shows secrets: its marketplace may have made it without. */
export function useSeesSecrets(): boolean {
  const { scopes } = useSession().info;
  return scopes.includes("secrets:read") || scopes.includes("admin");
}

/** Shown and forgotten soon; read only if somebody wants it, and the session may see secrets. */
function useRevealed<Data>(
  key: readonly unknown[],
  wanted: boolean,
  read: (client: Client, signal: AbortSignal) => Promise<Data>,
) {
  const enabled = useSeesSecrets() && wanted;
  return useRead(key, read, {
    enabled,
    staleTime: 60_000,
    gcTime: 60_000,
    // The service notes each reading, and this one may be hidden by now. Changes are read below.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** A webhook's whole URL. All other places show the host only. */
export function useWholeUrl(webhookId: string, wanted: boolean) {
  return useRevealed(keys.url(webhookId), wanted, (client, signal) =>
    client.secrets.revealUrl(webhookId, { signal }),
  );
}

/** Reads revealed secrets again when the webhook has changed, in this tab or elsewhere. */
export function useFreshSecrets(webhook: Webhook | undefined): void {
  const queries = useQueryClient();
  const seen = useRef(webhook);
  useEffect(() => {
    const before = seen.current;
    seen.current = webhook;
    if (before === undefined || webhook === undefined) return;
    if (before.updatedAt === webhook.updatedAt) return;
    // Also where it is kept for a field that is not shown now.
    void queries.resetQueries({ queryKey: keys.secret(webhook.id) });
  }, [queries, webhook]);
}

/**
 * A webhook's secrets. They are read at once if `atOnce` is true, otherwise from the first `read` on, and only if the
 * session may see secrets.
 */
export function useSecret(webhookId: string, atOnce: boolean) {
  const [wanted, setWanted] = useState(atOnce);
  const secret = useRevealed(keys.secret(webhookId), wanted, (client, signal) =>
    client.secrets.reveal(webhookId, { signal }),
  );
  return {
    ...secret,
    async read() {
      // From now on it follows a rotation.
      setWanted(true);
      return (await secret.refetch()).data ?? null;
    },
  };
}
