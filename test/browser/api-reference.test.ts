import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "./open-page.ts";
import { service, useService } from "./use-service.ts";

useService();

test("the API reference lists every operation, from the service's own document", async () => {
  const document = (await (await fetch(`${service.address}/v1/openapi.json`)).json()) as {
    paths: Record<string, object>;
  };
  const operations = Object.values(document.paths).flatMap((path) => Object.keys(path));
  await using open = await openPage(`${service.address}/docs`);
  const listed = open.locator(".opblock-summary-path");
  assert.ok(operations.length > 50);
  await listed.nth(operations.length - 1).waitFor();
});
