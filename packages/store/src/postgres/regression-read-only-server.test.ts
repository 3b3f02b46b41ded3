/** Each refused write closed every connection to its server: reads failed under way, and all sessions were made again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "pg";
import { createMigratedDatabase, execute, untilSomeWait } from "../testing/postgres-server.ts";
import { createHotPool, createManagementPool, inTransaction, readRows } from "./connection.ts";

test("while a server refuses writes, reads go on in their sessions, and writes begin again when it takes them", async (t) => {
  const { url, drop } = await createMigratedDatabase();
  const setReadOnly = (value: "on" | "off"): Promise<unknown> =>
    execute(
      url,
      `begin read write;
       do $$ begin
         execute format('alter database %I set default_transaction_read_only = ${value}', current_database());
       end $$;
       commit`,
    );
  await setReadOnly("on");
  const hot = createHotPool(url, 2, false);
  const management = createManagementPool(url, 2, false);
  const holder = new Client({ connectionString: url });
  await holder.connect();
  t.after(async () => {
    await Promise.all([hot.end(), management.end(), holder.end()]);
    await drop();
  });
  const sessions = new Set<unknown>();
  const write = (): Promise<unknown> =>
    inTransaction(hot, async (client) => {
      const { rows } = await client.query("select pg_backend_pid() as pid");
      sessions.add(rows[0]?.pid);
      await client.query("insert into meta (key, value) values (gen_random_uuid(), 'x')");
    });

  await holder.query("select pg_advisory_lock(1)");
  const read = readRows(management, "select pg_advisory_lock_shared(1), 'read' as word");
  await execute(url, untilSomeWait());
  for (let times = 0; times < 20; times += 1)
    await assert.rejects(write(), /cannot execute INSERT in a read-only transaction/);
  await holder.query("select pg_advisory_unlock(1)");
  assert.equal((await read)[0]?.["word"], "read");
  assert.equal(sessions.size, 1);

  await setReadOnly("off");
  // Open sessions keep the setting.
  for (let isWritten = false; !isWritten;) {
    isWritten = await write().then(
      () => true,
      () => false,
    );
  }
});
