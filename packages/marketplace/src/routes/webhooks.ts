import { ApiError } from "@markethook/client";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Context, personOf, sendPage } from "../context.ts";
import { messagePage } from "../pages/message-page.ts";
import { webhooksPage } from "../pages/webhooks-page.ts";
import { allowFrame } from "../security-headers.ts";
import type { SoldResource } from "../shop-data.ts";
import { withOwnResource } from "./with-resource.ts";

/** The Webhooks button: Markethook's page about this resource, in a frame or by itself. */
export function addWebhooks(app: FastifyInstance, context: Context): void {
  app.get(
    "/resource/:id/webhooks",
    withOwnResource(context, async (resource, person, request, reply) => {
      if (!context.mayEmbed()) return await sendThere(context, resource, request, reply);
      return await open(context, resource, request, reply, (url) => {
        allowFrame(reply, new URL(url).origin);
        return sendPage(reply, webhooksPage(person, resource, url));
      });
    }),
  );

  // Each link is good for one use, so this one is made when it is followed.
  app.get(
    "/resource/:id/webhooks/open",
    withOwnResource(context, (resource, _person, request, reply) =>
      sendThere(context, resource, request, reply),
    ),
  );
}

async function sendThere(
  context: Context,
  resource: SoldResource,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  return await open(context, resource, request, reply, (url) => reply.redirect(url, 303));
}

async function open(
  { outbox, markethook }: Context,
  resource: SoldResource,
  request: FastifyRequest,
  reply: FastifyReply,
  use: (url: string) => FastifyReply,
): Promise<FastifyReply> {
  const back = `/resource/${resource.id}`;
  try {
    const service = markethook();
    if (service === null) throw new Error("Markethook is not there yet.");
    // Markethook must know a resource before it shows its webhooks.
    if (resource.toldRevision !== resource.revision) await outbox.flush();
    return use(await service.openWebhooksPage(resource, `${originOf(request)}${back}`));
  } catch (error) {
    const page = messagePage(personOf(request), {
      heading: "The webhooks page cannot be opened now",
      sentence: `${error instanceof Error ? error.message : String(error)} Nothing is lost: what happens meanwhile is reported later. Reload to try again.`,
      way: { href: back, text: "Back to the resource" },
    });
    return sendPage(reply, page, error instanceof ApiError ? 502 : 503);
  }
}

function originOf(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}`;
}
