import type { AnsweringReceiver } from "./answering-receiver.ts";
import type { PortalService } from "./portal-service.ts";

/** An owner whose webhooks have seen something of everything, for pages that are looked at. */
export async function sampleOwner(
  service: PortalService,
  receiver: AnsweringReceiver,
): Promise<void> {
  const titles = { castle: "Medieval Castle", farm: "Better Farms", ships: "Tall Ships" };
  for (const [id, title] of Object.entries(titles)) {
    await service.api("PUT", `/resources/${id}`, { title, ownerId: "owner-1" });
  }
  await service.api("POST", "/resources/castle/webhooks", {
    url: `${receiver.url}?shop=7`,
    description: "Bot of the small server",
  });
  const mail = await service.api("POST", "/resources/castle/webhooks", {
    url: `${receiver.url}/mail`,
    events: ["product.user.purchase", "product.user.purchaseRemoved"],
  });
  await service.api("POST", "/resources/farm/webhooks", {
    url: "http://127.0.0.1:1/receiver",
    description: "Old server",
  });
  // Nothing happens to these, so nothing is sent there.
  await service.api("POST", "/resources/ships/webhooks", {
    url: `https://discord.com/api/webhooks/112233445566778899/${"sample-".repeat(9)}`,
    description: "Sales in our Discord",
    chat: { messages: { "product.user.purchase": { title: "{buyer} bought {resource}" } } },
  });
  await service.api("POST", `/webhooks/${String(mail["id"])}/pause`);
  const buy = async (resourceId: string, first: number, count: number): Promise<void> => {
    await service.api("POST", "/events", {
      events: Array.from({ length: count }, (_, index) => ({
        resourceId,
        event: "product.user.purchase",
        user: { id: first + index },
        details: { buyerName: "Jo", amount: "4.99", currency: "EUR" },
      })),
    });
  };
  await buy("castle", 4711, 6);
  await receiver.answered(6);
  receiver.status = 500;
  receiver.text = "Internal error: the database is locked";
  await buy("castle", 4800, 3);
  await buy("farm", 4900, 2);
  await receiver.answered(9);
  // Their retries a moment later fail too.
  await receiver.answered(12);
  receiver.status = 200;
  receiver.text = "ok";
}
