import type { FastifyReply, FastifyRequest } from "fastify";
import type { Markethook } from "./markethook.ts";
import type { Outbox } from "./outbox.ts";
import { messagePage } from "./pages/message-page.ts";
import { type ResourceView, resourcePage } from "./pages/resource-page.ts";
import { type Person, personFromCookies } from "./people.ts";
import type { SoldResource } from "./shop-data.ts";
import type { Shop } from "./shop.ts";

/** What the routes work with. */
export interface Context {
  shop: Shop;
  outbox: Outbox;
  /** Null until it is known where Markethook is. */
  markethook(): Markethook | null;
  /** Whether Markethook's pages may stand in a frame of ours. */
  mayEmbed(): boolean;
}

export function personOf(request: FastifyRequest): Person {
  return personFromCookies(request.headers.cookie);
}

export function sendPage(reply: FastifyReply, page: string, status = 200): FastifyReply {
  return reply.code(status).type("text/html; charset=utf-8").send(page);
}

export function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const page = messagePage(personOf(request), {
    heading: "Not found",
    sentence: "There is no such page here. It may have been there before.",
    way: { href: "/", text: "All resources" },
  });
  return sendPage(reply, page, 404);
}

export function sendForbidden(
  request: FastifyRequest,
  reply: FastifyReply,
  resource: SoldResource,
  sentence: string,
): FastifyReply {
  const page = messagePage(personOf(request), {
    heading: "Not yours to do",
    sentence,
    way: { href: `/resource/${resource.id}`, text: "Back to the resource" },
  });
  return sendPage(reply, page, 403);
}

export function sendResource(
  { shop, outbox }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  resource: SoldResource,
  more: Partial<ResourceView> = {},
  status = 200,
): FastifyReply {
  const person = personOf(request);
  const { problem } = outbox;
  return sendPage(reply, resourcePage({ shop, resource, person, problem, ...more }), status);
}

/** Back to the resource, after an action that Markethook has been told of, if it is there; no key: nothing was done. */
export async function sendDone(
  { outbox }: Context,
  reply: FastifyReply,
  resourceId: string,
  reportKey: string | null,
): Promise<FastifyReply> {
  if (reportKey === null) return reply.redirect(`/resource/${resourceId}?done=unchanged`, 303);
  await outbox.flush();
  return reply.redirect(`/resource/${resourceId}?report=${reportKey}`, 303);
}
