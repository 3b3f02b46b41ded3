import { ApiError } from "@markethook/client";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Context, personOf, sendPage } from "../context.ts";
import { messagePage } from "../pages/message-page.ts";
import { FRAME_SCRIPT, webhooksPage } from "../pages/webhooks-page.ts";
import type { Owner } from "../people.ts";
import { allowFrame } from "../security-headers.ts";
import type { SoldResource } from "../shop-data.ts";
import { member, withOwnResource } from "./with-resource.ts";

/** The Webhooks button: Markethook's page about this resource, in a frame or by itself. */
export function addWebhooks(app: FastifyInstance, context: Context): void {
  app.get(
    "/resource/:id/webhooks",
    withOwnResource(context, async (resource, person, request, reply) => {
      if (!context.mayEmbed()) return await open(context, person, resource, request, reply);
      return await open(context, person, resource, request, reply, (url) => {
        allowFrame(reply, new URL(url).origin);
        return sendPage(reply, webhooksPage(person, resource, url));
      });
    }),
  );

  app.get("/frame.js", (_request, reply) =>
    reply.type("text/javascript; charset=utf-8").send(FRAME_SCRIPT),
  );

  // Each link is good for one use, so this one is made when it is followed.
  app.get(
    "/resource/:id/webhooks/open",
    withOwnResource(context, (resource, person, request, reply) =>
      open(context, person, resource, request, reply),
    ),
  );

  // Where Markethook's pages lead who has no session; `path` is where they want to be.
  app.get("/webhooks", async (request, reply) => {
    const person = personOf(request);
    if (person.kind !== "owner") return sendToOwner(request, reply);
    const asked = context.shop.findResource(member(request.query, "resourceId"));
    const resource = asked?.ownerId === person.id ? asked : null;
    if (resource !== null && member(request.query, "frame") === "1" && context.mayEmbed()) {
      const query = new URLSearchParams({ path: member(request.query, "path") });
      return reply.redirect(`/resource/${resource.id}/webhooks?${query.toString()}`, 303);
    }
    return await open(context, person, resource, request, reply);
  });
}

function sendToOwner(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const page = messagePage(personOf(request), {
    heading: "Webhooks are for owners",
    sentence: "Choose above to be an owner, and open the link again.",
    way: { href: "/", text: "All resources" },
  });
  return sendPage(reply, page, 403);
}

async function open(
  { outbox, markethook }: Context,
  person: Owner,
  /** Null: all that the person owns. */
  resource: SoldResource | null,
  request: FastifyRequest,
  reply: FastifyReply,
  use = (url: string): FastifyReply => reply.redirect(url, 303),
): Promise<FastifyReply> {
  const back = resource === null ? "/" : `/resource/${resource.id}`;
  const path = member(request.query, "path");
  try {
    const service = markethook();
    if (service === null) throw new Error("Markethook is not there yet.");
    // Markethook must know a resource before it shows its webhooks.
    if (resource !== null && resource.toldRevision !== resource.revision) await outbox.flush();
    const url = await service.openWebhooksPage({
      ownerId: person.id,
      resourceId: resource?.id ?? null,
      path: path === "" ? null : path,
      returnUrl: `${originOf(request)}${back}`,
    });
    return use(url);
  } catch (error) {
    const page = messagePage(personOf(request), {
      heading: "The webhooks page cannot be opened now",
      sentence: `${error instanceof Error ? error.message : String(error)} Nothing is lost: what happens meanwhile is reported later. Reload to try again.`,
      way:
        resource === null
          ? { href: "/", text: "All resources" }
          : { href: back, text: "Back to the resource" },
    });
    return sendPage(reply, page, statusOf(error));
  }
}

function statusOf(error: unknown): number {
  if (!(error instanceof ApiError)) return 503;
  return error.code === "portal_path_invalid" ? 400 : 502;
}

function originOf(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}`;
}
