/**
 * A receiver with Hono, and anything else that speaks fetch: npm install @markethook/receiver hono @hono/node-server
 * Run it: WEBHOOK_SECRET=... PORT=8088 node hono.mjs
 */
import { serve } from "@hono/node-server";
import { createFetchHandler } from "@markethook/receiver/fetch";
import { Hono } from "hono";

// In production, use a table with a unique column: a retry may come after a restart.
const done = new Set();

const handle = createFetchHandler({
  secrets: process.env.WEBHOOK_SECRET ?? "", // An empty one throws here.
  onEvent: ({ id, event }) => {
    // The same event may come again: answer 2xx and do nothing.
    if (id !== undefined && done.has(id)) return;
    if (event.event === "product.user.purchase") {
      console.log(`${id}: user ${event.payload.user.id} bought ${event.payload.product.title}`);
    }
    if (id !== undefined) done.add(id);
  },
  onRejected: ({ code, sentence, causes }) => console.warn(code, sentence, causes),
});

const app = new Hono();
app.post("/webhooks", (context) => handle(context.req.raw));

const port = Number(process.env.PORT ?? 8088);
serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, (address) => {
  console.log(`Listening on http://127.0.0.1:${address.port}/webhooks`);
});
