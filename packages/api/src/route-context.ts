import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from "fastify";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { Actor } from "./auth/actor.ts";
import type { AppDeps } from "./app-deps.ts";
import type { Cursors } from "./request/cursor.ts";
import type { OwnerLimits, RouteLimit } from "./auth/owner-limits.ts";
import type { RouteScope } from "./auth/scopes.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The scope that the route needs. Every route under `/v1` must name one. */
    scope?: RouteScope;
    /** The owner's limit in which each request counts; null: none. */
    limit?: RouteLimit | null;
    /** True if the handler searches items for bad texts. */
    textPerItem?: boolean;
    /** No body counts as `{}`. */
    bodyOptional?: boolean;
  }
  interface FastifyRequest {
    actor: Actor | null;
    /** True if the body may contain texts that `findTextFault` would refuse. */
    textSuspicious: boolean;
  }
}

/** The application for routes: requests are typed by their schemas. */
export type ApiInstance = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

export interface RouteContext {
  deps: AppDeps;
  cursors: Cursors;
  limits: OwnerLimits;
}
