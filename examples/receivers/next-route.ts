/** A receiver in Next.js: npm install @markethook/receiver, and this file as app/webhooks/route.ts. */
import { createFetchHandler } from "@markethook/receiver/fetch";

// In production, use a table with a unique column: a retry may come after a restart, or to another instance.
const done = new Set<string>();

const handle = createFetchHandler({
  // Read at each request: `next build` loads this file without the secret. Without one, requests are refused.
  secrets: () => process.env["WEBHOOK_SECRET"],
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

export const POST = (request: Request): Promise<Response> => handle(request);
