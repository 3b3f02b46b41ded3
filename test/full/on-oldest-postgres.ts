import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { execute, startPostgres } from "@markethook/store/testing/postgres";

/** npm has no server of this release for other systems. */
const skip =
  process.platform === "linux" && process.arch === "x64" ? false : "needs Linux on x64 processors";

/** Runs these test files there. All that is tried, at full size, takes longer than one file of tests may. */
export function testOnOldestPostgres(files: readonly string[]): void {
  test(
    "what is tried on PostgreSQL holds on the oldest release that is supported",
    { skip },
    async (t) => {
      const server = await startPostgres({ tool: "postgres-14" });
      t.after(() => server.stop());
      const [row] = await execute(server.url, "show server_version");
      assert.match(String(row?.["server_version"]), /^14\./);
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      const run = promisify(execFile)(process.execPath, ["--test", ...files], {
        env: { ...env, MARKETHOOK_TEST_POSTGRES: server.url },
        maxBuffer: 64 * 1024 * 1024,
      });
      const { stdout } = await run.catch((error: { stdout: string }) => assert.fail(error.stdout));
      assert.match(stdout, /^(ℹ|#) pass [1-9]/m);
    },
  );
}
