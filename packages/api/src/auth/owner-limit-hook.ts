import type { FastifyInstance } from "fastify";
import { actingOwner } from "./actor.ts";
import type { OwnerLimits } from "./owner-limits.ts";

/** Counts each request in the limit that its operation names. */
export function useOwnerLimits(app: FastifyInstance, limits: OwnerLimits): void {
  app.addHook("preHandler", (request, _reply, done) => {
    const limit = request.routeOptions.config.limit ?? null;
    if (limit === null || limit === "steps") return done();
    // Its schema guarantees that it is a text, if it is there.
    const { ownerId } = request.query as { ownerId?: string };
    try {
      limits.count(actingOwner(request, ownerId), limit);
    } catch (error) {
      return done(error instanceof Error ? error : new Error("counting failed", { cause: error }));
    }
    done();
  });
}
