import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { onDemand } from "../../tools/on-demand/install.ts";

test("Spectral and Redocly find no error and no warning in the OpenAPI document", async (t) => {
  try {
    await onDemand("openapi-linters");
  } catch (error) {
    t.skip(error instanceof Error ? error.message : String(error));
    return;
  }
  const lint = spawnSync(process.execPath, ["tools/lint-openapi.ts"], { encoding: "utf8" });
  assert.equal(lint.status, 0, lint.stderr + lint.stdout);
});
