import { eventId } from "@markethook/protocol";
import type { AcceptItem, AcceptResult, EventStore, StoredEvent } from "@markethook/store";
import type { FakeResources } from "./fake-resources.ts";
import type { FakeWebhooks } from "./fake-webhooks.ts";

export interface FakeEvents extends EventStore {
  /** Everything that was accepted, as it came from the edge. */
  accepted: AcceptItem[];
  acceptItems(items: readonly AcceptItem[]): AcceptResult[];
}

export function createFakeEvents(
  resources: FakeResources,
  webhooks: FakeWebhooks,
  now: () => number,
): FakeEvents {
  const stored = new Map<string, StoredEvent>();
  const keys = new Map<string, { eventId: string; bodyHash: string }>();
  const accepted: AcceptItem[] = [];

  function acceptOne(item: AcceptItem): AcceptResult {
    if (item.idempotency !== undefined) {
      const known = keys.get(item.idempotency.key);
      if (known !== undefined) {
        return known.bodyHash === Buffer.from(item.idempotency.bodyHash).toString("hex")
          ? { kind: "duplicate", eventId: known.eventId }
          : { kind: "rejected", code: "idempotency_key_reused" };
      }
    }
    if (item.resource !== undefined) {
      const { title, subtitle, ownerId } = item.resource;
      void resources.put([{ id: item.resourceId, title, subtitle, ownerId }]);
    }
    const resource = resources.rows.get(item.resourceId);
    if (resource === undefined) return { kind: "rejected", code: "resource_unknown" };
    const previous = item.previous ?? resource.fileVersion;
    if (item.update !== undefined && previous === null) {
      return { kind: "rejected", code: "previous_unknown" };
    }
    const id = eventId({ seq: stored.size + 1, tag: item.tag });
    accepted.push(item);
    if (item.idempotency !== undefined) {
      keys.set(item.idempotency.key, {
        eventId: id,
        bodyHash: Buffer.from(item.idempotency.bodyHash).toString("hex"),
      });
    }
    stored.set(id, {
      eventId: id,
      resourceId: item.resourceId,
      name: item.name,
      time: item.time,
      userId: item.userId ?? null,
      payload: JSON.stringify({ user: { id: item.userId } }),
      details: item.details ?? null,
      acceptedAt: now(),
    });
    const deliveries = [...webhooks.rows.values()].filter(
      (webhook) =>
        webhook.resourceId === item.resourceId &&
        (webhook.events === null || webhook.events.includes(item.name)),
    ).length;
    return { kind: "accepted", eventId: id, deliveries };
  }

  return {
    accepted,
    acceptItems: (items) => items.map(acceptOne),
    // The API accepts through `deps.accept`, which is what commits in groups.
    accept: () => Promise.reject(new Error("the API never accepts by itself")),
    async find(id, ownerId) {
      const event = stored.get(id);
      if (event === undefined) return null;
      const owner = resources.rows.get(event.resourceId)?.ownerId;
      return ownerId === null || owner === ownerId ? event : null;
    },
  };
}
