import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestApp } from "./testing/test-app.ts";

test("smoke", async () => {
  const { send, app } = await createTestApp();
  const r = await send({ method: "PUT", url: "/v1/resources/map-1", payload: { title: "T", ownerId: "o" } });
  console.log(r.statusCode, r.headers, r.body);
  for (const o of [
   { method: "POST", url: "/v1/resources/map-1/webhooks", payload: { url: "https://a.example/x", events: null } },
   { method: "POST", url: "/v1/resources/map-1/events", payload: { event: "product.user.purchase", user: {id: 5} } },
   { method: "POST", url: "/v1/events", payload: { events: [{ resourceId: "map-1", event: "product.user.purchase", user: {id: 5} }, {resourceId:"!"}, 5] } },
   { method: "GET", url: "/v1/resources" }, { method: "GET", url: "/v1/webhooks?limit=1" }, { method: "GET", url: "/v1/nope" },{ method: "POST", url: "/v1/webhooks" },
   { method: "GET", url: "/docs" }, { method: "GET", url: "/docs/errors" }, { method: "GET", url: "/docs/static/nope" }, { method: "GET", url: "/v1/webhooks?x=1" }, { method: "GET", url: "/%" },
  ] as const) { const r = await send(o); console.log(o.method, o.url, r.statusCode, r.headers["content-type"], r.body.slice(0, 600)); }
  const d = await app.inject("/v1/openapi.json");
  (await import("node:fs")).writeFileSync("/tmp/openapi.json", JSON.stringify(d.json(), null, 1));
  console.log(d.body.length);
});
