import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";

const CLIENT = "packages/client/src";
/** `deliveries.list` with `webhookId` returns the same. */
const UNNEEDED = "GET /v1/webhooks/{id}/deliveries";

test("the client has a method for each operation below /v1", () => {
  const paths = readFileSync(`${CLIENT}/generated/api.ts`, "utf8").split(
    "export interface webhooks",
  )[0];
  const operations = [
    ...(paths ?? "").matchAll(/^ {2}"(\/v1[^"]*)": \{\n([^]*?)^ {2}\};/gm),
  ].flatMap(([, path = "", methods = ""]) =>
    [...methods.matchAll(/^ {4}(\w+): operations/gm)].map(
      ([, method = ""]) => `${method.toUpperCase()} ${path}`,
    ),
  );
  assert.ok(operations.length > 40, "the pattern still finds operations in generated/api.ts");
  const sources = globSync(`${CLIENT}/*.ts`).map((file) => readFileSync(file, "utf8"));
  const called = new Set(
    [...sources.join("\n").matchAll(/\.(GET|PUT|POST|PATCH|DELETE)\(\s*"([^"]+)"/g)].map(
      ([, method, path]) => `${method} ${path}`,
    ),
  );
  assert.deepEqual(
    operations.filter((operation) => operation !== UNNEEDED && !called.has(operation)),
    [],
    `operations that the client cannot call: add a method in ${CLIENT}`,
  );
});
