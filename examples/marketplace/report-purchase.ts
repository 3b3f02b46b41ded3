/**
 * Reports one purchase with the client library: npm install @markethook/client
 * Run it: WEBHOOKS_URL=http://127.0.0.1:8080 WEBHOOKS_KEY=mh_... node report-purchase.ts
 * A real shop reports from an outbox: see send-outbox-client.ts.
 */
import { ApiError, createClient, UnreachableError } from "@markethook/client";

const markethook = createClient({
  baseUrl: process.env["WEBHOOKS_URL"] ?? "http://127.0.0.1:8080",
  apiKey: process.env["WEBHOOKS_KEY"] ?? "", // It needs the scope events:write.
});

const line = { id: "88213-1", paidAt: 1767323045, buyerId: 4711, price: "4.99" };
try {
  const result = await markethook.events.report(
    "castle",
    {
      event: "product.user.purchase",
      occurredAt: line.paidAt,
      user: { id: line.buyerId },
      // Stored with the event, so that the resource need not be reported before.
      resource: { title: "Castle", subtitle: "A map", ownerId: "1001" },
      details: { orderId: line.id, amount: line.price, currency: "EUR" },
    },
    // Of the order line, so the same at each try: nothing is sent twice.
    { idempotencyKey: `line-${line.id}` },
  );
  console.log(result.status, result.eventId);
} catch (error) {
  if (error instanceof ApiError) console.error(`Refused: ${error.code}. ${error.detail}`);
  else if (error instanceof UnreachableError) console.error(`Try again later: ${error.message}`);
  else throw error;
  process.exitCode = 1;
}
