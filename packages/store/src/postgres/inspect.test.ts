import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "pg";
import { createMigratedDatabase } from "../testing/postgres-server.ts";
import { inspectPostgres } from "./inspect.ts";

for (const { what, begin } of [
  { what: "reads what was there", begin: "begin isolation level repeatable read; select 1" },
  { what: "has written", begin: "begin; insert into meta values ('k', 'v')" },
]) {
  test(`an inspection names the session whose transaction ${what} and keeps deleted rows`, async (t) => {
    const database = await createMigratedDatabase();
    const backup = new Client({ connectionString: database.url, application_name: "pg_dump" });
    await backup.connect();
    t.after(async () => {
      await backup.end();
      await database.drop();
    });
    await backup.query(begin);
    const { rows } = await backup.query<{ pid: number }>("select pg_backend_pid() as pid");
    const { oldestSnapshot } = await inspectPostgres(database.url);
    assert.deepEqual(
      { ...oldestSnapshot, seconds: 0 },
      { pid: rows[0]?.pid, application: "pg_dump", seconds: 0 },
    );
  });
}
