import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { makeApiKey } from "@markethook/api";
import { valuesNear } from "@markethook/api/testing";
import { ERRORS } from "@markethook/protocol";
import * as fc from "fast-check";
import { startHoldingReceiver } from "../holding-receiver.ts";
import { call, setUpMarketplace } from "../marketplace.ts";
import { postgresPlace, sqlitePlace } from "../places.ts";
import { startServiceProcess } from "../service-process.ts";

const RUNS = 40;

interface Operation {
  method: string;
  path: string;
  parameters: { name: string; in: string; schema: unknown }[];
  body: unknown;
}

/** The packages' own tests fuzz the API over a stand-in; this is the real service over both databases. */
for (const [database, open] of [
  ["SQLite", sqlitePlace],
  ["PostgreSQL", postgresPlace],
] as const) {
  test(`${database}: nothing near the documented requests gets a 500, and 503 comes with Retry-After`, async (t) => {
    const place = await open();
    const receiver = await startHoldingReceiver();
    const apiKey = makeApiKey(randomBytes);
    const service = await startServiceProcess({
      ...place.env,
      MARKETHOOK_BASE_URL: "https://market.example",
      MARKETHOOK_API_KEY: apiKey,
      MARKETHOOK_ALLOW_TARGETS: "127.0.0.0/8",
    });
    t.after(async () => {
      service.signal("SIGKILL");
      await service.exited;
      await receiver.close();
      await place.drop();
    });
    const target = `http://127.0.0.1:${receiver.port}/`;
    const { webhookIds } = await setUpMarketplace(service.address, apiKey, "map-1", [target]);
    const event = await call(service.address, apiKey, "POST", "/resources/map-1/events", {
      event: "product.user.purchase",
      user: { id: 1 },
    });
    await receiver.until(() => receiver.arrivals.length > 0);
    const known: Record<string, string> = {
      resources: "map-1",
      webhooks: webhookIds[0] ?? "",
      events: String(event["eventId"]),
      deliveries: receiver.arrivals[0] ?? "",
    };
    let reached = 0;
    const list = await operations(service.address);
    for (const { method, path, parameters, body } of list) {
      const ids = fc.oneof(
        { weight: 5, arbitrary: fc.constant(known[path.split("/")[2] ?? ""] ?? "x") },
        {
          weight: 1,
          arbitrary: fc
            .string({ unit: "binary", minLength: 1, maxLength: 60 })
            .filter((id) => id.isWellFormed() && id !== "." && id !== ".."),
        },
      );
      const query: Record<string, fc.Arbitrary<unknown>> = {};
      for (const parameter of parameters)
        if (parameter.in === "query") query[parameter.name] = valuesNear(parameter.schema);
      const bodies = body === undefined ? fc.constant(undefined) : valuesNear(body);
      let succeeded = false;
      await fc.assert(
        fc.asyncProperty(
          ids,
          fc.record(query, { requiredKeys: [] }),
          bodies,
          async (id, search, value) => {
            const response = await fetch(urlOf(service.address, path, id, search), {
              method,
              headers: {
                authorization: `Bearer ${apiKey}`,
                ...(value === undefined ? {} : { "content-type": "application/json" }),
              },
              ...(value === undefined ? {} : { body: JSON.stringify(loopbackOnly(value, target)) }),
            });
            const text = await response.text();
            succeeded ||= response.ok;
            if (response.ok) return;
            const what = `${method} ${path}: ${response.status} ${text}`;
            assert.notEqual(response.status, 500, what);
            assert.equal(
              response.headers.get("content-type"),
              "application/problem+json; charset=utf-8",
              what,
            );
            assert.ok((JSON.parse(text) as { code: string }).code in ERRORS, what);
            const later = response.status === 503 || response.status === 429;
            assert.equal(response.headers.has("retry-after"), later, what);
          },
        ),
        { numRuns: RUNS, endOnFailure: true },
      );
      if (succeeded) reached += 1;
    }
    t.diagnostic(`${reached} of ${list.length} operations were not only refused`);
    assert.ok(reached > list.length / 2);
  });
}

async function operations(address: string): Promise<Operation[]> {
  const document = (await (await fetch(`${address}/v1/openapi.json`)).json()) as {
    paths: Record<
      string,
      Record<
        string,
        {
          parameters?: Operation["parameters"];
          requestBody?: { content: Record<string, { schema: unknown }> };
        }
      >
    >;
  };
  return (
    Object.entries(document.paths)
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
          method: method.toUpperCase(),
          path,
          parameters,
          body: requestBody?.content["application/json"]?.schema,
        })),
      )
      // The stream has no end.
      .filter(({ path }) => path !== "/v1/deliveries/stream")
      // Deleting comes last, and keys stay: the others need what there is.
      .filter(({ method, path }) => !(method === "DELETE" && path.includes("api-keys")))
      .sort((a, b) => Number(a.method === "DELETE") - Number(b.method === "DELETE"))
  );
}

function urlOf(address: string, path: string, id: string, search: Record<string, unknown>): string {
  const pairs = Object.entries(search).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(value))}`,
  );
  return `${address}${path.replace("{id}", encodeURIComponent(id))}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`;
}

function textOf(value: unknown): string {
  return (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).toWellFormed();
}

/** No generated URL may lead away from this machine. */
function loopbackOnly(value: unknown, target: string): unknown {
  if (typeof value !== "object" || value === null || !("url" in value)) return value;
  return typeof value.url === "string" && URL.canParse(value.url)
    ? { ...value, url: target }
    : value;
}
