import { type AppDeps, chosenEncoding } from "@markethook/api";
import { type BuiltFile, listBuiltFiles } from "./built-files.ts";

type App = Parameters<NonNullable<AppDeps["servePages"]>>[0];

export interface PageOptions {
  /** Folder of the built pages; null: there are none. */
  folder: string | null;
  /** Origins whose pages may show the owners' pages in a frame. */
  embedOrigins: readonly string[];
  /** The page that gives a tab a session; null: the tab says what to do. */
  entryUrl: string | null;
}

/** Names of built assets contain a hash of their content. */
const FOR_EVER = "public, max-age=31536000, immutable";
/** Swagger UI sets styles itself, and has small images in its styles. */
const OF_REFERENCE = { "style-src": "'self' 'unsafe-inline'", "img-src": "'self' data:" };
const NOT_BUILT =
  "The pages of this service were not built. Run `npm run build`, and start the service again.\n";

/**
 * Serves the owners' pages, the operator's page, the API reference, and their assets. Only the owners' pages may be
 * framed, by listed origins.
 */
export function createPageServer({ folder, embedOrigins, entryUrl }: PageOptions) {
  const ancestors = embedOrigins.length === 0 ? "'none'" : embedOrigins.join(" ");
  const pages = [
    { name: "portal", headers: pageHeaders(ancestors) },
    { name: "operator", headers: pageHeaders("'none'") },
    { name: "docs", headers: pageHeaders("'none'", OF_REFERENCE) },
  ];

  return (app: App): void => {
    // Read before there is a session; next to the page, so that a proxy passes it with the page.
    app.get("/portal/entry.json", { schema: { hide: true } }, (_request, reply) =>
      reply.header("cache-control", "no-cache").send({ entryUrl }),
    );
    const files = folder === null ? null : listBuiltFiles(folder);
    for (const { name, headers } of pages) {
      app.get(`/${name}`, { schema: { hide: true } }, (_request, reply) =>
        // Relative, so that it works behind any path prefix.
        reply.redirect(`${name}/`),
      );
      if (files === null) {
        app.get(`/${name}/`, { schema: { hide: true } }, (_request, reply) =>
          reply.code(503).headers(headers).type("text/plain; charset=utf-8").send(NOT_BUILT),
        );
        continue;
      }
      serveFiles(app, files, name, { ...headers, "cache-control": "no-cache" });
    }
    if (files !== null) serveFiles(app, files, "assets", { "cache-control": FOR_EVER });
  };
}

function serveFiles(
  app: App,
  files: ReturnType<typeof listBuiltFiles>,
  name: string,
  headers: Readonly<Record<string, string>>,
): void {
  app.get<{ Params: { "*": string } }>(
    `/${name}/*`,
    { schema: { hide: true } },
    (request, reply) => {
      const encoding = chosenEncoding(request.headers["accept-encoding"]);
      const file = files.find(`${name}/${request.params["*"]}`, encoding);
      if (file === null) return reply.callNotFound();
      reply.headers({ ...headers, etag: file.etag, vary: "accept-encoding" });
      if (isKnown(request.headers["if-none-match"], file)) return reply.code(304).send();
      if (file.encoding !== null) reply.header("content-encoding", file.encoding);
      // Fastify sends no body for HEAD, and closes the file.
      reply.header("content-length", file.bytes);
      return reply.type(file.type).send(file.open());
    },
  );
}

function isKnown(ifNoneMatch: string | undefined, { etag }: BuiltFile): boolean {
  return ifNoneMatch?.split(",").some((one) => one.trim().replace(/^W\//, "") === etag) ?? false;
}

function pageHeaders(ancestors: string, more: Readonly<Record<string, string>> = {}) {
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
    ...more,
  };
  return {
    "content-security-policy": Object.entries(policy)
      .map(([name, value]) => `${name} ${value}`)
      .join("; "),
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    // For browsers without frame-ancestors; this header cannot list origins.
    ...(ancestors === "'none'" ? { "x-frame-options": "DENY" } : {}),
  };
}
