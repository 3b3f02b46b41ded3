/**
 * A receiver with Fastify: npm install @markethook/receiver fastify
 * Run it: WEBHOOK_SECRET=... PORT=8088 node fastify.mjs
 */
import { createNodeHandler } from "@markethook/receiver/node";
import Fastify from "fastify";

// In production, use a table with a unique column: a retry may come after a restart.
const done = new Set();

const handler = createNodeHandler({
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

const app = Fastify();

// In a scope of its own: your other routes keep Fastify's parsers.
app.register((webhooks, _options, ready) => {
  webhooks.removeAllContentTypeParsers();
  // Leaves the body unread: the handler reads the exact bytes.
  webhooks.addContentTypeParser("*", (_request, _body, parsed) => parsed(null));
  webhooks.post("/webhooks", async (request, reply) => {
    reply.hijack();
    await handler(request.raw, reply.raw);
  });
  ready();
});

const address = await app.listen({ port: Number(process.env.PORT ?? 8088) });
console.log(`Listening on ${address}/webhooks`);
