import { setTimeout as pause } from "node:timers/promises";
import type { AnsweringReceiver } from "./answering-receiver.ts";
import type { PortalService } from "./portal-service.ts";

export type Shop = ReturnType<typeof openShop>;

/** What the resources of one owner do in a test. */
export function openShop(service: PortalService, receiver: AnsweringReceiver) {
  const shop = {
    async addResource(id: string): Promise<void> {
      await service.api("PUT", `/resources/${id}`, {
        title: `The ${id}`,
        subtitle: "A map for eight",
        ownerId: "owner-1",
      });
    },

    /** To the receiver, unless `webhook` says otherwise, for a resource that is made if it is not there yet. Returns its id. */
    async addWebhook(resourceId: string, webhook: Record<string, unknown> = {}): Promise<string> {
      await shop.addResource(resourceId);
      const made = await service.api("POST", `/resources/${resourceId}/webhooks`, {
        url: receiver.url,
        ...webhook,
      });
      return String(made["id"]);
    },

    /** A webhook of a new resource for which two purchases wait for their next attempt, as nobody listens there. Returns its id. */
    async addWaiting(resourceId: string): Promise<string> {
      const id = await shop.addWebhook(resourceId, { url: "http://127.0.0.1:1/x" });
      await shop.buy(resourceId, 2, 4711);
      await shop.untilStored(resourceId, "pending", 2);
      return id;
    },

    /** That many purchases in one batch, by users whose ids follow each other. */
    async buy(resourceId: string, count = 1, firstUser = 1): Promise<void> {
      await service.api("POST", "/events", {
        events: Array.from({ length: count }, (_, index) => ({
          resourceId,
          event: "product.user.purchase",
          user: { id: firstUser + index },
        })),
      });
    },

    /** The same; waits until the receiver has replied to them. */
    async sell(resourceId: string, count: number, firstUser = 1): Promise<void> {
      const before = receiver.requests.length;
      await shop.buy(resourceId, count, firstUser);
      await receiver.answered(before + count);
    },

    /** The same purchase as the sample's of a chat's preview. */
    async buyAsPreviewed(resourceId: string): Promise<void> {
      await service.api("POST", `/resources/${resourceId}/events`, {
        event: "product.user.purchase",
        occurredAt: 1_767_323_045,
        user: { id: 4711 },
        details: { buyerName: "Jo", amount: "4.99", currency: "EUR", orderId: "88213" },
      });
    },

    /**
     * Until so many of a resource's deliveries, at most 50, are stored in this state: a moment after the receiver has
     * replied. A page that opens before hears of them.
     */
    async untilStored(
      resourceId: string,
      state: "delivered" | "pending" | "dead" | "cancelled",
      count: number,
    ): Promise<void> {
      const path = `/deliveries?resourceId=${resourceId}&state=${state}&limit=50`;
      for (;;) {
        const { items } = await service.api("GET", path);
        if ((items as unknown[]).length === count) return; // As the API's document says.
        await pause(10);
      }
    },
  };
  return shop;
}
