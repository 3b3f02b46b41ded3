import { nearValue, type ValueContext } from "./near-value.ts";
import type { Operation } from "./operations.ts";
import { mutateBody } from "./mutate-body.ts";
import type { Random } from "./random.ts";
import type { World } from "./world.ts";

/** What a request can be made of. */
type Known = Pick<World, "api" | "receiverUrl" | "apiKey" | "actors" | "ids" | "cursors">;

/** One request, as it goes out. */
export interface FuzzRequest {
  /** Null: the path is made up. */
  operation: Operation | null;
  method: string;
  /** Path and query, as written. */
  target: string;
  headers: [name: string, value: string][];
  body: Buffer | null;
}

const WEIRD_IDS = [
  "..",
  "%2e%2e",
  "..%2f..%2fetc",
  "%00",
  "%",
  "%ff",
  "%zz",
  "1",
  "-1",
  "WH_00000000000000000001",
  "wh_",
  "wh_00000000000000000001",
  "evt_1abcdefghij",
  "dlv_99999999999999999999",
  "map-1;x=1",
  "map-1%20",
  "map-1%2fevents",
  "é",
  "current",
  "stream",
  "a".repeat(10_000),
] as const;

const WEIRD_TARGETS = [
  "/",
  "//v1/resources",
  "/v1//resources",
  "/v1/../v1/resources",
  "/v1/%2e%2e/",
  "/V1/resources",
  "/v1/resources;x",
  "/v1/resources/",
  "/v1/resources#x",
  "/v1/nothing",
  "/healthz/x",
  "/metrics?x=1",
  "/docs/../v1",
  "/portal/",
  "/operator/",
  "/assets/",
  "/docs/index.html",
  "/portal/%2e%2e/%2e%2e/package.json",
  "/operator/..%5c..%5cx",
  "/docs/errors",
  "/docs/%00",
  "http://127.0.0.1/v1/resources",
] as const;

const QUERY_TEXTS = [
  "",
  "0",
  "-1",
  "1e9",
  "NaN",
  "1.5",
  "201",
  "%00",
  "%",
  "%ff",
  "null",
  "true",
  "[]",
  "a&a=b",
  "%F0%9F%98%80",
];

const HEADERS: readonly (readonly [string, readonly string[]])[] = [
  [
    "idempotency-key",
    ["", "order-1", "order-2", "x".repeat(255), "x".repeat(256), "a\tb", "\xe9", "\x7f"],
  ],
  ["accept", ["*/*", "text/html", "application/xml", "x"]],
  ["accept-encoding", ["gzip", "br;q=9", "x", "identity;q=0"]],
  ["content-encoding", ["gzip", "br", "identity", "x, y"]],
  ["origin", ["https://evil.example", "null"]],
  ["x-forwarded-for", ["1.2.3.4", "x", "::1", "1.2.3.4, 5.6.7.8", "a".repeat(2000)]],
  ["x-forwarded-proto", ["https", "javascript"]],
  ["x-forwarded-host", ["evil.example", "a b"]],
  ["x-http-method-override", ["DELETE"]],
  ["range", ["bytes=0-0", "bytes=-1", "x"]],
  ["if-none-match", ["*", '"x"']],
  ["if-modified-since", ["x", "Thu, 01 Jan 1970 00:00:00 GMT"]],
  ["cookie", ["a=b", "__Host-session=x"]],
  ["last-event-id", ["1", "-1", "x"]],
  ["x-anything", ["x".repeat(8000), "\xff\xfe", "a,b"]],
];

const CONTENT_TYPES = [
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/json; charset=latin1",
  "application/json;charset=utf-8",
  "APPLICATION/JSON",
  "application/jsonp",
  "x",
  "",
];

/** Depends on the random choices and on what is known of the world, and on nothing else. */
export function makeRequest(random: Random, world: Known): FuzzRequest {
  if (random.once(40)) return madeUpRequest(random, world);
  const operation = random.pick(world.api.operations);
  const context: ValueContext = {
    random,
    schemas: world.api.schemas,
    receiverUrl: world.receiverUrl,
    tame: random.once(2),
    known: [...Object.values(world.ids).flatMap((list) => list.slice(-3)), "owner-1", "owner-2"],
  };
  const headers: FuzzRequest["headers"] = [...authorization(random, world)];
  const { body, mutated } = bodyFor(operation, context);
  if (body !== null && !random.once(100)) {
    headers.push([
      "content-type",
      mutated && random.once(10) ? random.pick(CONTENT_TYPES) : "application/json",
    ]);
  }
  headers.push(...oddHeaders(random));
  if (operation.operationId === "exchangePortalCode" && random.once(2)) {
    headers.push(["x-forwarded-for", [10, random.int(256), random.int(256), 1].join(".")]);
  }
  const method = random.once(100)
    ? random.pick(["HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "GET", "POST", "QUERY", "TRACE"])
    : operation.method;
  const target =
    operation.path.replace("{id}", () => pathId(operation, context, world)) +
    query(operation, context, world);
  return { operation, method, target, headers, body };
}

function madeUpRequest(random: Random, world: Known): FuzzRequest {
  const made = random.once(2)
    ? random.pick(WEIRD_TARGETS)
    : `/${random.bytes(random.int(30)).toString("base64").replaceAll("=", "%")}`;
  return {
    operation: null,
    method: random.pick(["GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD"]),
    target: made,
    headers: [...authorization(random, world), ...oddHeaders(random)],
    body: null,
  };
}

function oddHeaders(random: Random): FuzzRequest["headers"] {
  const count = random.once(4) ? 1 + random.int(3) : 0;
  return Array.from({ length: count }, () => {
    const [name, values] = random.pick(HEADERS);
    return [name, random.pick(values)];
  });
}

function authorization(random: Random, { actors, apiKey }: Known): FuzzRequest["headers"] {
  const bearer = (token: string): FuzzRequest["headers"] => [["authorization", `Bearer ${token}`]];
  switch (random.int(24)) {
    case 0:
      return [];
    case 1:
      return bearer(actors.eventsOnly);
    case 2:
      return bearer(actors.revoked);
    case 3:
    case 4:
    case 5:
      return bearer(actors.owner);
    case 6:
    case 7:
      return bearer(actors.bound);
    case 8:
    case 9:
      return bearer(actors.foreign);
    case 10:
      return random.pick([
        bearer(apiKey.slice(0, -1)),
        bearer(`${apiKey.slice(0, -1)}${apiKey.endsWith("a") ? "b" : "a"}`),
        bearer(`${apiKey}x`),
        bearer("x".repeat(5000)),
        bearer(""),
        [["authorization", "Basic dXNlcjpwYXNz"]],
        [["authorization", apiKey]],
        [["authorization", `bearer   ${apiKey} `]],
        [...bearer(apiKey), ...bearer(apiKey)],
        [["authorization", "\xff\xfe"]],
      ] satisfies FuzzRequest["headers"][]);
    default:
      return bearer(apiKey);
  }
}

function pathId(operation: Operation, { random }: ValueContext, world: Known): string {
  const known = world.ids[operation.kind] ?? [];
  if (random.once(12)) return random.pick(WEIRD_IDS);
  if (random.once(16)) return random.pick(Object.values(world.ids).flat());
  return known.length === 0 ? "x" : random.pick(known);
}

function query(operation: Operation, context: ValueContext, world: Known): string {
  const { random } = context;
  const pairs: string[] = [];
  for (const { name, schema } of operation.query) {
    if (!random.once(context.tame ? 8 : 4)) continue;
    if (name === "ownerId" && !random.once(4))
      pairs.push(`ownerId=${random.pick(["owner-1", "owner-2"])}`);
    else if (name === "cursor") pairs.push(`cursor=${cursorNear(random, world)}`);
    else if (!context.tame && random.once(8)) pairs.push(`${name}=${random.pick(QUERY_TEXTS)}`);
    else pairs.push(`${name}=${encodeURIComponent(textOf(nearValue(schema, context)))}`);
  }
  if (random.once(50))
    pairs.push(
      random.pick(["x=1", "%", "__proto__=1", "=", "&&", `api_key=${world.actors.revoked}`]),
    );
  // Longer ones are refused for their length, all alike.
  return pairs.length === 0 ? "" : `?${pairs.join("&").slice(0, 12_000)}`;
}

function cursorNear(random: Random, { cursors }: Known): string {
  const cursor = random.pick(cursors);
  switch (random.int(6)) {
    case 0:
      return random.pick(["", "!", "%00", "A".repeat(1001), "A".repeat(10_000), "bnVsbA"]);
    case 1: {
      const at = random.int(cursor.length);
      return `${cursor.slice(0, at)}${random.pick(["A", "z", "-", "%3D"])}${cursor.slice(at + 1)}`;
    }
    default:
      return cursor;
  }
}

function bodyFor(
  operation: Operation,
  context: ValueContext,
): { body: Buffer | null; mutated: boolean } {
  const { random } = context;
  if (operation.body === null && !random.once(40)) return { body: null, mutated: false };
  const json = JSON.stringify(nearValue(operation.body ?? {}, context));
  if (context.tame || !random.once(4)) return { body: Buffer.from(json), mutated: false };
  return { body: mutateBody(json, random), mutated: true };
}

function textOf(value: unknown): string {
  return (typeof value === "string" ? value : JSON.stringify(value)).toWellFormed().slice(0, 3000);
}
