/** With no file left to open, reports failed although connections to the database were open. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { createTestDatabase } from "../testing/postgres-server.ts";

const PROGRAM = `
  import { openSync } from "node:fs";
  import { createHotPool, inTransaction } from ${JSON.stringify(import.meta.resolve("./connection.ts"))};
  const hot = createHotPool(process.argv[1], 6, false);
  const work = () => inTransaction(hot, (client) => client.query("select 1"));
  await work();
  try {
    for (;;) openSync("/dev/null");
  } catch {}
  const works = await Promise.allSettled(Array.from({ length: 30 }, work));
  const failed = works.flatMap(({ reason }) => (reason === undefined ? [] : [reason.message]));
  console.log(JSON.stringify(failed));
  process.exit();
`;

test("work goes on with the connections that there are while the process can open no file", async (t) => {
  const { url, drop } = await createTestDatabase();
  t.after(drop);
  const command = [process.execPath, "--input-type=module", "-e", PROGRAM, url];
  const limited = ["-c", 'ulimit -n 64 && exec "$@"', "sh", ...command];
  const { stdout } = await promisify(execFile)("sh", limited);
  assert.deepEqual(JSON.parse(stdout), []);
});
