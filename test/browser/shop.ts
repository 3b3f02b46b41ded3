import { setTimeout as pause } from "node:timers/promises";
import type { AnsweringReceiver } from "./answering-receiver.ts";
import type { PortalService } from "./portal-service.ts";

/** What an owner's resources do in a test. */
export interface Shop {
  /** To the receiver, for a resource that is made if it is not there yet. Returns its id. */
  addWebhook(resourceId: string): Promise<string>;
  /** That many purchases in one batch, by the users 1, 2, 3 and so on; waits until the receiver has replied to them. */
  sell(resourceId: string, count: number): Promise<void>;
}

export function openShop(service: PortalService, receiver: AnsweringReceiver): Shop {
  return {
    async addWebhook(resourceId) {
      await service.api("PUT", `/resources/${resourceId}`, {
        title: `The ${resourceId}`,
        ownerId: "owner-1",
      });
      const path = `/resources/${resourceId}/webhooks`;
      const made = await service.api("POST", path, { url: receiver.url });
      return String(made["id"]);
    },
    async sell(resourceId, count) {
      const before = receiver.requests.length;
      await service.api("POST", "/events", {
        events: Array.from({ length: count }, (_, index) => ({
          resourceId,
          event: "product.user.purchase",
          user: { id: 1 + index },
        })),
      });
      await receiver.answered(before + count);
    },
  };
}

/** The resource of a chat's test. */
export async function makeMap(service: PortalService, id: string): Promise<void> {
  await service.api("PUT", `/resources/${id}`, {
    title: `The ${id}`,
    subtitle: "A map for eight",
    ownerId: "owner-1",
  });
}

/** The same purchase as the sample's of a chat's preview. */
export async function buyAsPreviewed(service: PortalService, resourceId: string): Promise<void> {
  await service.api("POST", `/resources/${resourceId}/events`, {
    event: "product.user.purchase",
    occurredAt: 1_767_323_045,
    user: { id: 4711 },
    details: { buyerName: "Jo", amount: "4.99", currency: "EUR", orderId: "88213" },
  });
}

/** A webhook of a new resource for which two purchases wait for their next attempt, as nobody listens there. Returns its id. */
export async function addWaiting(service: PortalService, resourceId: string): Promise<string> {
  await service.api("PUT", `/resources/${resourceId}`, { title: "Castle", ownerId: "owner-1" });
  const url = "http://127.0.0.1:1/x";
  const { id } = await service.api("POST", `/resources/${resourceId}/webhooks`, { url });
  await service.api("POST", "/events", {
    events: [4711, 4712].map((user) => ({
      resourceId,
      event: "product.user.purchase",
      user: { id: user },
    })),
  });
  await untilStored(service, resourceId, "pending", 2);
  return String(id);
}

/**
 * Until so many of a resource's deliveries, at most 50, are stored in this state: a moment after the receiver has replied.
 * A page that opens before hears of them.
 */
export async function untilStored(
  service: PortalService,
  resourceId: string,
  state: "delivered" | "pending" | "dead" | "cancelled",
  count: number,
): Promise<void> {
  for (;;) {
    const { items } = await service.api(
      "GET",
      `/deliveries?resourceId=${resourceId}&state=${state}&limit=50`,
    );
    if ((items as unknown[]).length === count) return; // As the API's document says.
    await pause(10);
  }
}
