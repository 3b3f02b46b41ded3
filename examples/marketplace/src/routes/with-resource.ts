import type { FastifyReply, FastifyRequest } from "fastify";
import { type Context, personOf, sendForbidden, sendNotFound } from "../context.ts";
import type { Owner, Person } from "../people.ts";
import type { SoldResource } from "../shop-data.ts";

type Handle<P extends Person> = (
  resource: SoldResource,
  person: P,
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply | Promise<FastifyReply>;

/** A handler for the resource in the path; 404 if there is none. */
export function withResource({ shop }: Context, handle: Handle<Person>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const resource = shop.findResource(param(request, "id"));
    if (resource === undefined) return sendNotFound(request, reply);
    return await handle(resource, personOf(request), request, reply);
  };
}

/** The same for what only the resource's owner may do. */
export function withOwnResource(context: Context, handle: Handle<Owner>) {
  return withResource(context, (resource, person, request, reply) =>
    person.kind === "owner" && person.id === resource.ownerId
      ? handle(resource, person, request, reply)
      : sendForbidden(request, reply, resource, "Only the resource's owner can do this."),
  );
}

export function param(request: FastifyRequest, name: string): string {
  return member(request.params, name);
}

/** A text of a parsed query, form or path; empty if there is none, or several. */
export function member(of: unknown, name: string): string {
  if (typeof of !== "object" || of === null || !Object.hasOwn(of, name)) return "";
  const value = (of as Record<string, unknown>)[name]; // It has that member.
  return typeof value === "string" ? value : "";
}
