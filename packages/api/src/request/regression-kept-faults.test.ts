/** A file of the pages that could not be opened was answered with a fault that browsers and proxies keep for a year. */
import assert from "node:assert/strict";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTestApp } from "../testing/test-app.ts";

test("a fault is kept by nobody, whatever the route said of the answer that it could not give", async () => {
  const { app } = await createTestApp({
    servePages: (pages) => {
      pages.get("/assets/*", { schema: { hide: true } }, (_request, reply) =>
        reply
          .headers({
            "cache-control": "public, max-age=31536000, immutable",
            etag: '"1"',
            "content-encoding": "gzip",
            "content-length": 10,
          })
          .send(createReadStream(join(import.meta.dirname, "nowhere"))),
      );
    },
  });
  const { statusCode, headers, body } = await app.inject({ method: "GET", url: "/assets/a.js" });
  assert.equal(statusCode, 500);
  assert.equal(JSON.parse(body).code, "internal");
  const { etag, "cache-control": cacheControl, "content-encoding": encoding } = headers;
  assert.deepEqual([cacheControl, etag, encoding], ["no-store", undefined, undefined]);
});
