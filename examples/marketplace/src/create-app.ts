import formbody from "@fastify/formbody";
import multipart from "@fastify/multipart";
import fastify, { type FastifyInstance } from "fastify";
import { type Context, personOf, sendNotFound, sendPage } from "./context.ts";
import { messagePage } from "./pages/message-page.ts";
import { addBrowsing } from "./routes/browsing.ts";
import { addBuying } from "./routes/buying.ts";
import { addEditing } from "./routes/editing.ts";
import { addWebhooks } from "./routes/webhooks.ts";
import { addSecurityHeaders } from "./security-headers.ts";

/** Every page of the marketplace. It listens on nothing. */
export async function createApp(context: Context): Promise<FastifyInstance> {
  const app = fastify({ forceCloseConnections: true });
  addSecurityHeaders(app);
  await app.register(formbody);
  await app.register(multipart, { throwFileSizeLimit: false });
  addBrowsing(app, context);
  addBuying(app, context);
  addEditing(app, context);
  addWebhooks(app, context);
  app.setNotFoundHandler((request, reply) => sendNotFound(request, reply));
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500;
    const page = messagePage(personOf(request), {
      heading: status < 500 ? "This cannot be done" : "Something went wrong here",
      sentence: error.message,
      way: { href: "/", text: "All resources" },
    });
    return sendPage(reply, page, status);
  });
  return app;
}
