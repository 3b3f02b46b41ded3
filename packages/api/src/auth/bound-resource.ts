import type { FastifyInstance } from "fastify";
import {
  type ErrorCode,
  MarkethookError,
  parseDeliveryId,
  parseEventId,
} from "@markethook/protocol";
import type { Resource } from "@markethook/store";
import { actorOf } from "./actor.ts";
import type { AppDeps } from "../app-deps.ts";

/**
 * A session that is bound to one resource sees nothing of others. For each route with an id in its path, this hook
 * looks the thing up before the route begins. That is early enough, because webhooks, deliveries and events never move
 * to another resource. Routes without an id narrow themselves by `actingResource`.
 */
export function useBoundResource(app: FastifyInstance, { store }: Pick<AppDeps, "store">): void {
  const lookups: Record<
    string,
    (id: string, ownerId: string | null) => Promise<string | undefined>
  > = {
    resources: async (id) => id,
    webhooks: async (id, ownerId) => (await store.webhooks.get(id, ownerId)).resourceId,
    deliveries: async (id, ownerId) =>
      parseDeliveryId(id) === null ? undefined : (await store.log.find(id, ownerId))?.resourceId,
    events: async (id, ownerId) =>
      parseEventId(id) === null ? undefined : (await store.events.find(id, ownerId))?.resourceId,
  };

  // No promise for keys: every reported event passes here.
  app.addHook("preHandler", (request, _reply, done) => {
    const { config, url = "" } = request.routeOptions;
    const bound = config.scope === "public" ? null : actorOf(request).resourceId;
    const [, , kind = "", parameter, ...rest] = url.split("/");
    if (bound === null || parameter !== ":id") return done();
    // Its schema guarantees that the parameter is a text.
    const { id } = request.params as { id: string };
    const lookup = lookups[kind] ?? (async () => undefined);
    lookup(id, actorOf(request).ownerId).then((found) => {
      if (found === bound) return done();
      const inResource = kind === "resources" && rest.length > 0;
      return done(new MarkethookError(inResource ? "resource_unknown" : "not_found"));
    }, done);
  });
}

/** Returns the resource if it is this owner's; null stands for any owner. @throws `absent` */
export async function ownResource(
  { store }: Pick<AppDeps, "store">,
  id: string,
  ownerId: string | null,
  absent: ErrorCode,
): Promise<Resource> {
  const resource = await store.resources.find(id);
  if (resource === null || (ownerId !== null && resource.ownerId !== ownerId)) {
    throw new MarkethookError(absent);
  }
  return resource;
}
