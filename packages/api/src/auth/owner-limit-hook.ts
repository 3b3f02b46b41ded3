import type { FastifyInstance } from "fastify";
import { actingOwner, actorOf } from "./actor.ts";
import type { OwnerLimits } from "./owner-limits.ts";

/**
 * Counts each request in the limit that its operation names. Changes are those of sessions: a marketplace that keeps
 * thousands of webhooks by its key, in the name of owners, has that key's rate.
 */
export function useOwnerLimits(app: FastifyInstance, limits: OwnerLimits): void {
  app.addHook("preHandler", (request, _reply, done) => {
    const limit = request.routeOptions.config.limit ?? null;
    if (limit !== null && limit !== "steps") {
      const owner = actingOwner(request);
      limits.count(limit === "changes" ? actorOf(request).ownerId : owner, limit);
    }
    done();
  });
}
