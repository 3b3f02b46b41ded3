import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestApp } from "../testing/test-app.ts";
import { unknownModels } from "./openapi.ts";

test("every schema that the document refers to is among its models", async () => {
  const { app } = await createTestApp();
  const document = (await app.inject("/v1/openapi.json")).json<object>();
  assert.deepEqual(unknownModels(document), [], "add these to MODELS in document/openapi.ts");
  await app.close();
});

test("a schema that is missing is named once, in whatever form it is referred to", () => {
  const schemas = { Known: { items: { $ref: "#/components/schemas/Review" } } };
  const paths = [{ $ref: "Review#" }, { $ref: "#/components/schemas/Known" }];
  assert.deepEqual(unknownModels({ paths, components: { schemas } } as object), ["Review"]);
});
