/** Where the file of a certificate could not be read for a moment, the next connection ended the process. */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Pool } from "pg";
import { createTestDatabase, execute } from "../testing/postgres-server.ts";
import { inFolder } from "../testing/temporary-folder.ts";
import { createHotPool, inTransaction } from "./connection.ts";
import { Hints } from "./hints.ts";

const END_OTHERS =
  "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";

/** The file of an authority, and the URL of a database that names it. */
async function withAuthority(t: TestContext, folder: string) {
  const { url, drop } = await createTestDatabase();
  t.after(drop);
  const file = join(folder, "authority.pem");
  writeFileSync(file, "");
  return { url, file, naming: `${url}?sslmode=disable&sslrootcert=${file}` };
}

async function work(pool: Pool): Promise<void> {
  await inTransaction(pool, async (client) => await client.query("select 1"));
}

test("work that waits for a connection fails while none can be opened, and then goes on", async (t) => {
  await inFolder(async (folder) => {
    const { url, file, naming } = await withAuthority(t, folder);
    const hot = createHotPool(naming, 1, false);
    const client = await hot.connect();
    const waiting = work(hot);
    rmSync(file);
    await execute(url, END_OTHERS);
    client.release(true);
    await assert.rejects(waiting, { code: "store_unavailable", message: /ENOENT/ });
    writeFileSync(file, "");
    await work(hot);
    await hot.end();
  })();
});

test("hints come again", async (t) => {
  await inFolder(async (folder) => {
    const { file, naming } = await withAuthority(t, folder);
    rmSync(file);
    const heard = Promise.withResolvers<unknown>();
    const hints = new Hints(naming, heard.resolve);
    writeFileSync(file, "");
    hints.send({ kind: "ready" });
    assert.deepEqual(await heard.promise, { kind: "ready" });
    await hints.close();
  })();
});
