import { eventId, parseEventId } from "@markethook/protocol";
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
    const key = `${item.idempotency?.key}:${item.resourceId}`;
    if (item.idempotency !== undefined) {
      const known = keys.get(key);
      if (known !== undefined) {
        return known.bodyHash === item.idempotency.bodyHash
          ? { kind: "duplicate", eventId: known.eventId }
          : { kind: "rejected", code: "idempotency_key_reused" };
      }
    }
    if (item.resource !== undefined) {
      void resources.put([{ id: item.resourceId, ...item.resource }]);
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
      keys.set(key, {
        eventId: id,
        bodyHash: item.idempotency.bodyHash,
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
      erased: false,
    });
    const deliveries = [...webhooks.rows.values()].filter(
      (webhook) =>
        webhook.resourceId === item.resourceId &&
        (webhook.events === null || webhook.events.includes(item.name)),
    ).length;
    return { kind: "accepted", eventId: id, deliveries };
  }

  function isSeenBy(event: StoredEvent, ownerId: string | null): boolean {
    return ownerId === null || resources.rows.get(event.resourceId)?.ownerId === ownerId;
  }

  return {
    accepted,
    acceptItems: (items) => items.map(acceptOne),
    // The API accepts through `deps.accept`, which is what commits in groups.
    accept: () => Promise.reject(new Error("the API never accepts by itself")),
    async find(id, ownerId) {
      const event = stored.get(id);
      return event !== undefined && isSeenBy(event, ownerId) ? event : null;
    },
    async list({ ownerId, resourceId, userId }, { beforeSeq, limit }) {
      const items = [...stored.values()]
        .filter((event) => isSeenBy(event, ownerId))
        .filter((event) => (resourceId ?? event.resourceId) === event.resourceId)
        .filter((event) => userId === undefined || userId === event.userId)
        .map((event) => ({ seq: parseEventId(event.eventId)?.seq ?? 0, event }))
        .filter(({ seq }) => beforeSeq === null || seq < beforeSeq)
        .sort((a, b) => b.seq - a.seq)
        .slice(0, limit);
      return {
        items: items.map(({ event }) => event),
        nextSeq: items.length < limit ? null : (items.at(-1)?.seq ?? null),
      };
    },
    async explain(id, ownerId) {
      const event = stored.get(id);
      if (event === undefined || !isSeenBy(event, ownerId)) return null;
      const there = [...webhooks.rows.values()].filter(
        (row) => row.resourceId === event.resourceId,
      );
      return {
        event,
        webhooks: there.map((row) => ({
          webhookId: row.id,
          url: row.url,
          state: row.state,
          disabledReason: row.disabledReason,
          stateSince: null,
          chosenNow: false,
          createdAt: row.createdAt,
          updatedAt: row.updatedAt,
          deletedAt: null,
          delivery: null,
          behindDeliveryId: null,
        })),
      };
    },
  };
}
