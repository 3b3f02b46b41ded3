import { type ErrorEntry, ERRORS } from "@markethook/protocol";
import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import type { AppDeps } from "../app-deps.ts";
import { operation } from "../document/operation.ts";
import { sendProblem } from "../request/error-handler.ts";
import { ERROR_PAGE } from "../request/problem.ts";
import type { ApiInstance } from "../route-context.ts";

/** The error page loads nothing, runs nothing, and cannot be framed. */
const ERROR_PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** Routes for machines and people around the service; none needs a key. */
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
  // People look here first. It needs no key, because it reveals no more than the routes above.
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

/** Makes the page that the `type` of problems refers to, from the catalogue. */
function errorPage(): string {
  const sections = Object.entries<ErrorEntry>(ERRORS).map(
    ([code, { status, title, advice }]) =>
      `<section id="${code}"><h2><a href="#${code}">${code}</a></h2><p>${
        status === undefined ? "" : `<b>${status}</b> `
      }${escape(title)}</p><p>${escape(advice)}</p></section>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Error codes</title>
<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui;max-width:45rem;margin:2rem auto;padding:0 1rem}h2{font:600 1rem ui-monospace,monospace;margin:2rem 0 0}p{margin:.25rem 0}:target{outline:2px solid;outline-offset:.5rem}</style>
</head><body><h1>Error codes</h1>
${sections.join("\n")}
</body></html>`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const DAY_MS = 86_400_000;
/** The standard asks for less than a year; the promise ends when the service no longer runs. */
const VALID_DAYS = 180;

/** The contact for vulnerabilities of this service (RFC 9116). Without a contact there is no such file. */
export function securityTxtRoute(app: FastifyInstance, deps: AppDeps): void {
  const { securityContact } = deps;
  if (securityContact === null) return;
  app.get("/.well-known/security.txt", { schema: { hide: true } }, (_request, reply) => {
    const today = Math.floor(deps.nowMs() / DAY_MS);
    const expires = new Date((today + VALID_DAYS) * DAY_MS).toISOString();
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${expires}`,
      "Preferred-Languages: en",
      `Canonical: ${deps.publicUrl()}/.well-known/security.txt`,
    ];
    return reply
      .header("cache-control", "max-age=86400")
      .type("text/plain; charset=utf-8")
      .send(`${lines.join("\n")}\n`);
  });
}
