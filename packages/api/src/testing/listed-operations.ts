import assert from "node:assert/strict";
import type { FastifyInstance, HTTPMethods, LightMyRequestResponse } from "fastify";

/** The part of an OpenAPI operation that tests look at. */
export interface ListedOperation {
  method: HTTPMethods & ("GET" | "PUT" | "POST" | "PATCH" | "DELETE");
  path: string;
  operationId: string;
  summary: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: { name: string; in: string; schema: unknown }[];
  /** Its schema has no references, and those of answers have none. */
  requestBody?: { required: boolean; content: { "application/json": { schema: unknown } } };
  responses: Record<string, ListedAnswer>;
  "x-owner-limit"?: string;
}

interface ListedAnswer {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: unknown }>;
}

/** HTTP's own, and those for browsers and caches: callers have nothing to do for them. */
const NOT_FOR_CALLERS: ReadonlySet<string> = new Set([
  "cache-control",
  "connection",
  "content-encoding",
  "content-length",
  "content-security-policy",
  "content-type",
  "date",
  "strict-transport-security",
  "transfer-encoding",
  "vary",
  "x-content-type-options",
]);

/** An answer has exactly the headers that the document names for it. */
export function checkHeaders(
  { operationId, responses }: ListedOperation,
  { statusCode, headers }: Pick<LightMyRequestResponse, "statusCode" | "headers">,
): void {
  const sent = Object.keys(headers).filter((name) => !NOT_FOR_CALLERS.has(name));
  const named = Object.keys(responses[String(statusCode)]?.headers ?? {});
  assert.deepEqual(
    sent.sort(),
    named.map((name) => name.toLowerCase()).sort(),
    `${operationId} ${statusCode}`,
  );
}

/** All operations of the document that the application serves. */
export async function listOperations(app: FastifyInstance): Promise<ListedOperation[]> {
  const document = (await app.inject("/v1/openapi.json")).json<{
    paths: Record<string, Record<string, Omit<ListedOperation, "method" | "path">>>;
    components: { schemas: Record<string, unknown>; responses: ListedOperation["responses"] };
  }>();
  const { schemas, responses } = document.components;
  const operations: ListedOperation[] = [];
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      // OpenAPI has no other methods than these for us.
      const name = method.toUpperCase() as ListedOperation["method"];
      const body = operation.requestBody?.content["application/json"];
      for (const [status, answer] of Object.entries(operation.responses)) {
        const name = "$ref" in answer ? String(answer.$ref).split("/").at(-1) : undefined;
        operation.responses[status] = responses[name ?? ""] ?? answer;
      }
      const answers = Object.values(operation.responses).map(
        ({ content }) => content?.["application/json"],
      );
      for (const one of [body, ...answers])
        if (one !== undefined) one.schema = withoutReferences(one.schema, schemas);
      operations.push({ ...operation, method: name, path });
    }
  }
  return operations;
}

function withoutReferences(schema: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withoutReferences(item, schemas));
  if (typeof schema !== "object" || schema === null) return schema;
  if ("$ref" in schema) {
    const name = String(schema.$ref).replace("#/components/schemas/", "");
    return withoutReferences(schemas[name], schemas);
  }
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, withoutReferences(value, schemas)]),
  );
}
