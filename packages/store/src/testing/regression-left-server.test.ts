import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { execute, startPostgres } from "./postgres-server.ts";
import { inFolder } from "./temporary-folder.ts";

const SERVERS = JSON.stringify(import.meta.resolve("./postgres-server.ts"));

test(
  "a process that a fault ends leaves neither its PostgreSQL nor that one's files",
  inFolder(async (folder) => {
    // PostgreSQL runs as nobody where we are root.
    chmodSync(folder, 0o755);
    const script = `
      import { startPostgres } from ${SERVERS};
      const { url, pid } = await startPostgres();
      console.log(url, pid);
      throw new Error("a fault");`;
    const { status, stdout } = spawnSync(
      process.execPath,
      ["--input-type=module", "--eval", script],
      { encoding: "utf8", env: { ...process.env, TMPDIR: folder } },
    );
    const [url = "", pid] = stdout.trim().split(" ");
    try {
      assert.equal(status, 1);
      assert.deepEqual(readdirSync(folder), []);
      await assert.rejects(execute(url, "select 1"));
    } finally {
      if (isThere(Number(pid))) process.kill(Number(pid), "SIGKILL");
    }
  }),
);

test("a PostgreSQL that Ctrl-C has ended already is stopped like any other", async () => {
  const server = await startPostgres();
  process.kill(server.pid, "SIGINT");
  while (isThere(server.pid)) await pause(5);
  await server.stop();
});

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
