import { join } from "node:path";
import serveStatic from "@fastify/static";
import type { AppDeps } from "@markethook/api";

type App = Parameters<NonNullable<AppDeps["servePages"]>>[0];

export interface PageOptions {
  /** Of the built pages; null: there are none. */
  folder: string | null;
  /** Origins whose pages may show the owners' pages in a frame. */
  embedOrigins: readonly string[];
  /** Where a tab without a session gets one; null: the page says what to do. */
  entryUrl: string | null;
}

/** Names of built assets carry a hash of what is in them. */
const FOR_EVER = "public, max-age=31536000, immutable";
const NOT_BUILT =
  "The pages of this service were not built. Run `npm run build`, and start the service again.\n";

/** The owners' pages, the operator's, and what both load. Only the first may stand in a frame, of listed origins. */
export function createPageServer({ folder, embedOrigins, entryUrl }: PageOptions) {
  const ancestors = embedOrigins.length === 0 ? "'none'" : embedOrigins.join(" ");
  const pages = [
    { name: "portal", headers: pageHeaders(ancestors) },
    { name: "operator", headers: pageHeaders("'none'") },
  ];

  return async (app: App): Promise<void> => {
    // Asked before there is a session; beside the page, so that a proxy lets it through with the page.
    app.get("/portal/entry.json", { schema: { hide: true } }, (_request, reply) =>
      reply.header("cache-control", "no-cache").send({ entryUrl }),
    );
    for (const { name, headers } of pages) {
      app.get(`/${name}`, { schema: { hide: true } }, (_request, reply) =>
        // Relative, so that it is right behind any path prefix.
        reply.redirect(`${name}/`),
      );
      if (folder === null) {
        app.get(`/${name}/`, { schema: { hide: true } }, (_request, reply) =>
          reply.code(503).headers(headers).type("text/plain; charset=utf-8").send(NOT_BUILT),
        );
        continue;
      }
      await serveFolder(app, folder, name, { ...headers, "cache-control": "no-cache" });
    }
    if (folder !== null) await serveFolder(app, folder, "assets", { "cache-control": FOR_EVER });
  };
}

async function serveFolder(
  app: App,
  folder: string,
  name: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  await app.register(serveStatic, {
    root: join(folder, name),
    prefix: `/${name}/`,
    decorateReply: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply) {
      reply.headers({ ...headers, vary: "accept-encoding" });
    },
  });
}

function pageHeaders(ancestors: string): Record<string, string> {
  const policy = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "font-src": "'self'",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": ancestors,
  };
  return {
    "content-security-policy": Object.entries(policy)
      .map(([name, value]) => `${name} ${value}`)
      .join("; "),
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    // For what does not know frame-ancestors; it has no word for listed origins.
    ...(ancestors === "'none'" ? { "x-frame-options": "DENY" } : {}),
  };
}
