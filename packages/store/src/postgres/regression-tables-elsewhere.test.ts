import assert from "node:assert/strict";
import { test } from "node:test";
import { createMigratedDatabase, createTestDatabase, execute } from "../testing/postgres-server.ts";
import { inspectPostgres } from "./inspect.ts";
import { migrate } from "./migrate.ts";

test("a service whose tables are no longer on its search path makes no others", async (t) => {
  const { url, drop } = await createMigratedDatabase();
  t.after(drop);
  const database = new URL(url).pathname.slice(1);
  await execute(url, "create schema elsewhere");
  await execute(url, `alter database ${database} set search_path = elsewhere`);
  await assert.rejects(migrate(url), {
    code: "tables_elsewhere",
    message: /the schema public, which is not on the search path/,
  });
  assert.equal((await inspectPostgres(url)).elsewhere, "public");
  await execute(url, `alter database ${database} set search_path = elsewhere, public`);
  await migrate(url);
  assert.equal((await inspectPostgres(url)).elsewhere, null);
  const made = "select relname from pg_class where relnamespace = 'elsewhere'::regnamespace";
  assert.deepEqual(await execute(url, made), []);
});

test("tables of another program that have such names are no service's", async (t) => {
  const { url, drop } = await createTestDatabase();
  t.after(drop);
  await execute(url, "create schema shop");
  // Flyway's, and its own.
  await execute(url, "create table shop.schema_version (); create table shop.webhooks ()");
  await migrate(url);
});
