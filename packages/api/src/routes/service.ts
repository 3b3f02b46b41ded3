import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import type { AppDeps } from "../app-deps.ts";
import { errorPage } from "../request/error-page.ts";
import { sendProblem } from "../request/error-handler.ts";
import { operation } from "../document/operation.ts";
import { ERROR_PAGE } from "../request/problem.ts";
import type { ApiInstance } from "../route-context.ts";

/** It loads nothing, runs nothing, and stands in no frame. */
const ERROR_PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** For machines and people around the service; none needs a key. */
export function serviceRoutes(app: ApiInstance, deps: AppDeps): void {
  const index = {
    service: "markethook",
    version: deps.version,
    links: {
      ...(deps.servePages === undefined ? {} : { reference: "/docs/", operator: "/operator/" }),
      errors: ERROR_PAGE,
      openapi: "/v1/openapi.json",
      health: "/healthz",
      readiness: "/readyz",
      metrics: "/metrics",
    },
  };
  app.get(
    "/",
    operation({
      id: "index",
      summary: "Where things are",
      tag: "service",
      scope: "public",
      answers: {
        200: Type.Object({
          service: Type.String(),
          version: Type.String(),
          links: Type.Record(Type.String(), Type.String()),
        }),
      },
    }),
    () => index,
  );
  // Where people look first; needs no key, as it says no more than the above.
  for (const path of ["/v1", "/v1/"]) app.get(path, { schema: { hide: true } }, () => index);

  app.get(
    "/healthz",
    operation({
      id: "health",
      summary: "Whether the process is alive",
      tag: "service",
      scope: "public",
      answers: { 200: Type.Object({ status: Type.String() }) },
    }),
    () => ({ status: "alive" }),
  );

  app.get(
    "/readyz",
    operation({
      id: "readiness",
      summary: "Whether this instance should get requests",
      tag: "service",
      scope: "public",
      answers: {
        200: Type.Object({
          status: Type.String(),
          checks: Type.Record(Type.String(), Type.String()),
        }),
      },
      errors: ["not_ready"],
    }),
    async (request, reply) => {
      const { ready, checks } = await deps.readiness();
      if (ready) return { status: "ready", checks };
      const found = Object.entries(checks).map(([name, state]) => `${name}: ${state}`);
      sendProblem(reply, request.id, "not_ready", { detail: `${found.join(", ")}.` });
      return reply;
    },
  );

  app.get(
    "/metrics",
    operation({
      id: "metrics",
      summary: "The operator's figures, for Prometheus",
      tag: "service",
      scope: "public",
      answers: {
        200: Type.Unsafe<string>({ content: { "text/plain": { schema: { type: "string" } } } }),
      },
    }),
    async (_request, reply) => {
      const { contentType, text } = await deps.metrics();
      return reply.type(contentType).send(text);
    },
  );

  app.get(ERROR_PAGE, { schema: { hide: true } }, (_request, reply) =>
    reply
      .header("content-security-policy", ERROR_PAGE_POLICY)
      .type("text/html; charset=utf-8")
      .send(errorPage()),
  );
}

/** The OpenAPI document itself. */
export function openApiRoute(app: FastifyInstance): void {
  let text: string | null = null;
  app.get(
    "/openapi.json",
    { config: { scope: "public" }, schema: { hide: true } },
    (_request, reply) => {
      text ??= JSON.stringify(app.swagger());
      return reply.type("application/json; charset=utf-8").send(text);
    },
  );
}
