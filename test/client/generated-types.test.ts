import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

test("the client's types are those of the routes", () => {
  const check = spawnSync(process.execPath, ["tools/openapi/generate.ts", "--check"], {
    encoding: "utf8",
  });
  assert.equal(check.status, 0, check.stderr);
});
