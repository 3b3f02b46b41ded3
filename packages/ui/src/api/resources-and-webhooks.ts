import type { Resource, Webhook } from "@markethook/client";
import { useQueryClient } from "@tanstack/react-query";
import { useSession } from "../session/session.ts";
import { collator } from "../words/formatters.ts";
import { isNotFound } from "./answers.ts";
import { keys, REFRESH_MS, useRead } from "./query-cache.ts";

/** More are not offered for choosing; their pages open with their own session. */
const MOST_RESOURCES = 500;
export const MOST_WEBHOOKS = 1000;

/** The owner's resources by title, or the one that the session is bound to. `enabled`: whether they are wanted. */
export function useResources(enabled = true) {
  const { resourceId } = useSession().info;
  return useRead<Resource[]>(
    keys.resources(),
    async (client, signal) =>
      resourceId === null
        ? inOrder(await firstOf(client.resources.list({ signal }), MOST_RESOURCES))
        : [await client.resources.get(resourceId, { signal })],
    { enabled, staleTime: 60_000 },
  );
}

/** The resource's title, or its id where it is not among those that are read. Null until it is known. */
export function useResourceTitle(resourceId: string | undefined): string | null {
  const { data: resources } = useResources();
  if (resources === undefined || resourceId === undefined) return null;
  return resources.find(({ id }) => id === resourceId)?.title ?? resourceId;
}

/** All webhooks of the session's owner, newest first. `enabled`: whether they are wanted. */
export function useWebhooks(enabled = true) {
  const { resourceId } = useSession().info;
  const resource = resourceId === null ? {} : { resourceId };
  return useRead<Webhook[]>(
    keys.webhooks(),
    (client, signal) => firstOf(client.webhooks.list({ ...resource, signal }), MOST_WEBHOOKS),
    { enabled, refetchInterval: REFRESH_MS },
  );
}

async function firstOf<T>(items: AsyncIterable<T>, most: number): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) {
    found.push(item);
    if (found.length === most) break;
  }
  return found;
}

/** As people look for titles: "Map 2" before "Map 10". */
function inOrder(resources: readonly Resource[]): Resource[] {
  const { compare } = collator({ numeric: true });
  return resources.toSorted((a, b) => compare(a.title, b.title) || compare(a.id, b.id));
}

/** Whether the webhook was deleted; false until it is known. */
export function useIsGone(webhookId: string | undefined): boolean {
  const { error } = useWebhook(webhookId ?? "", webhookId !== undefined);
  return isNotFound(error);
}

/** False until it is known. */
export function useIsChat(webhookId: string): boolean {
  const { data: webhook } = useWebhook(webhookId);
  return webhook !== undefined && webhook.format !== "json";
}

export function useWebhook(id: string, enabled = true) {
  const queries = useQueryClient();
  return useRead<Webhook>(
    keys.webhook(id),
    (client, signal) => client.webhooks.get(id, { signal }),
    {
      enabled,
      refetchInterval: REFRESH_MS,
      // The list says the same; it is asked for alone only when that was a while ago.
      initialData: () =>
        queries.getQueryData<Webhook[]>(keys.webhooks())?.find((webhook) => webhook.id === id),
      initialDataUpdatedAt: () => queries.getQueryState(keys.webhooks())?.dataUpdatedAt,
    },
  );
}
