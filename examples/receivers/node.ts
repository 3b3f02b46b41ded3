/**
 * A receiver with the library: WEBHOOK_SECRET=... PORT=8088 node node.ts
 * With an empty secret it does not start. The library refuses requests without webhook-signature, and old ones.
 */
import { createServer } from "node:http";
import { createNodeHandler } from "@markethook/receiver/node";

// In production, use a table with a unique column: a retry may come after a restart.
const done = new Set<string>();

const handler = createNodeHandler({
  secrets: process.env["WEBHOOK_SECRET"] ?? "",
  // Only for an imported secret that is not base64: require: "service".
  onEvent: ({ id, event }) => {
    // The same event may come again: answer 2xx and do nothing.
    if (id !== undefined && done.has(id)) return;
    switch (event.event) {
      case "product.user.purchase":
        console.log(`${id}: user ${event.payload.user.id} bought ${event.payload.product.title}`);
        break;
      case "product.user.purchaseRemoved":
        console.log(
          `${id}: user ${event.payload.user.id} no longer owns ${event.payload.product.title}`,
        );
        break;
      case "product.update":
        console.log(`${id}: ${event.payload.product.title} ${event.payload.update.version} is out`);
        break;
      case "product.user.firstDownload":
      case "ping":
        console.log(`${id}: ${event.event}`);
    }
    if (id !== undefined) done.add(id);
  },
  onRejected: ({ code, sentence, causes }) => console.warn(code, sentence, causes),
});

const server = createServer((request, response) => void handler(request, response));
server.listen(Number(process.env["PORT"] ?? 8088), "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") {
    console.log(`Listening on http://127.0.0.1:${address.port}`);
  }
});
