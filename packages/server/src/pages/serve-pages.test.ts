import assert from "node:assert/strict";
import { test } from "node:test";
import { createPageServer } from "./serve-pages.ts";

type App = Parameters<ReturnType<typeof createPageServer>>[0];

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Collects routes, as far as pages that were not built need it; built ones are tested with the real service. */
function routesOf(serve: (app: App) => void): Map<string, () => Answer> {
  const routes = new Map<string, () => Answer>();
  const app = {
    get(path: string, _options: object, handler: (request: object, reply: object) => void) {
      routes.set(path, () => {
        const answer: Answer = { status: 200, headers: {}, body: "" };
        const reply = {
          code: (status: number) => ((answer.status = status), reply),
          headers: (more: object) => (Object.assign(answer.headers, more), reply),
          type: () => reply,
          send: (body: string) => ((answer.body = body), reply),
          redirect: () => reply,
        };
        handler({}, reply);
        return answer;
      });
    },
  };
  // Only what is used of it is there.
  serve(app as unknown as App);
  return routes;
}

test("pages that were not built say so, with the headers of a page", () => {
  const routes = routesOf(createPageServer({ folder: null, embedOrigins: [], entryUrl: null }));
  for (const page of ["/portal/", "/operator/", "/docs/"]) {
    const answer = routes.get(page)?.();
    assert.equal(answer?.status, 503);
    assert.match(answer.body, /were not built\. Run `npm run build`/);
    assert.match(answer.headers["content-security-policy"] ?? "", /frame-ancestors 'none'/);
  }
});
