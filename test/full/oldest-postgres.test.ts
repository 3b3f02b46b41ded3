import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { execute, startPostgres } from "@markethook/store/testing/postgres";

const FILES = [
  "packages/store/src/postgres/conformance.test.ts",
  "packages/store/src/postgres/migrate.test.ts",
  "packages/store/src/move/cut-move.test.ts",
  "packages/store/src/move/move-to-postgres.test.ts",
  "packages/store/src/move/refused-move.test.ts",
  "packages/store/src/regression-earlier-schema.test.ts",
  "test/behaviour/marketplace.test.ts",
  "test/faults/kill-postgres.test.ts",
];
/** npm has no server of this release for other systems. */
const skip =
  process.platform === "linux" && process.arch === "x64" ? false : "needs Linux on x64 processors";

test(
  "what is tried on PostgreSQL holds on the oldest release that is supported",
  { skip },
  async (t) => {
    const server = await startPostgres({ tool: "postgres-14" });
    t.after(() => server.stop());
    const [row] = await execute(server.url, "show server_version");
    assert.match(String(row?.["server_version"]), /^14\./);
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const run = promisify(execFile)(process.execPath, ["--test", ...FILES], {
      env: { ...env, MARKETHOOK_TEST_POSTGRES: server.url },
      maxBuffer: 64 * 1024 * 1024,
    });
    const { stdout } = await run.catch((error: { stdout: string }) => assert.fail(error.stdout));
    assert.match(stdout, /^(ℹ|#) pass [1-9]\d\d/m);
  },
);
