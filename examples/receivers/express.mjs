/**
 * A receiver with Express: npm install @markethook/receiver express
 * Run it: WEBHOOK_SECRET=... PORT=8088 node express.mjs
 */
import { createExpressHandler } from "@markethook/receiver/express";
import express from "express";

// In production, use a table with a unique column: a retry may come after a restart.
const done = new Set();

const app = express();

// Before any express.json(): a parsed body is no longer the signed text.
app.post(
  "/webhooks",
  createExpressHandler({
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
  }),
);
app.use(express.json());

const server = app.listen(Number(process.env.PORT ?? 8088), "127.0.0.1", (error) => {
  if (error) throw error; // Such as a port that is taken: Express 5 gives it here.
  console.log(`Listening on http://127.0.0.1:${server.address().port}/webhooks`);
});
