import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test, type TestContext } from "node:test";
import { tableColumns } from "../expected-shape.ts";
import { createTestDatabase, execute } from "../testing/postgres-server.ts";
import { inspectPostgres } from "./inspect.ts";
import { openPostgres } from "./open.ts";
import { listPostgresMigrations, upgradePostgres } from "./migrate.ts";

/** A database, and a user who does not own it. */
async function withUser(t: TestContext) {
  const { url, drop } = await createTestDatabase();
  const user = `user_${randomBytes(4).toString("hex")}`;
  await execute(url, `create role ${user} login`);
  t.after(async () => {
    await execute(url, `drop owned by ${user}`);
    await drop();
  });
  const theirs = new URL(url);
  theirs.username = user;
  const masterKeys = [Buffer.alloc(32, 7)];
  const open = () =>
    openPostgres({ url: theirs.href, baseUrl: "https://market.example", masterKeys });
  return { url, user, theirs: theirs.href, open };
}

test("a user who may make no tables is told so, by the start and by the doctor", async (t) => {
  const { url, user, theirs, open } = await withUser(t);
  // As it is from PostgreSQL 15 on.
  await execute(url, "revoke create on schema public from public");
  const { lackingRights } = await inspectPostgres(theirs);
  assert.match(lackingRights ?? "", /may not make tables/);
  await assert.rejects(open(), { code: "database_rights_missing" });
  await upgradePostgres(url);
  await assert.rejects(listPostgresMigrations(theirs), { code: "database_rights_missing" });
  const closed = await inspectPostgres(theirs);
  assert.match(
    closed.lackingRights ?? "",
    /may not use accepted_events, api_keys, attempt_counts and/,
  );
  await execute(url, `grant select on all tables in schema public to ${user}`);
  await assert.rejects(open(), { code: "database_rights_missing" });
});

test("on a migrated database the service needs no right to make tables", async (t) => {
  const { url, user, theirs, open } = await withUser(t);
  await execute(url, "revoke create on schema public from public");
  await upgradePostgres(url);
  await execute(
    url,
    `grant select, insert, update, delete on all tables in schema public to ${user};
     grant usage on all sequences in schema public to ${user}`,
  );
  assert.equal((await inspectPostgres(theirs)).lackingRights, null);
  const store = await open();
  t.after(() => store.close());
  await store.resources.put([{ id: "castle", ownerId: "1", title: "Castle", subtitle: "" }]);
  assert.equal((await store.instances.start("n", "v")).givenBack, null);
});

test("a right that one table lacks, as one that an upgrade made, is named by the start and by the doctor", async (t) => {
  const { url, user, theirs, open } = await withUser(t);
  await upgradePostgres(url);
  const grants = `grant select, insert, update, delete on all tables in schema public to ${user};
    grant usage on all sequences in schema public to ${user};`;
  for (const [right, table] of [
    ["all", "key_generations"],
    ["all", "idempotency_keys"],
    ["delete", "leased"],
    ["all", "schema_version"],
  ]) {
    await execute(url, `${grants} revoke ${right} on ${table} from ${user}`);
    const { lackingRights, missing } = await inspectPostgres(theirs);
    assert.equal(lackingRights, `The database's user may not use ${table}.`);
    assert.deepEqual(missing, []);
    await assert.rejects(open(), { code: "database_rights_missing" });
  }
});

test("rights are asked for on each table that migrations make, and the doctor finds them where they are", async (t) => {
  const { url, drop } = await createTestDatabase();
  t.after(drop);
  await upgradePostgres(url);
  const tables = await execute(
    url,
    "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1",
  );
  const names = tables.map(({ relname }) => relname).filter((name) => name !== "schema_version");
  assert.deepEqual(new Set(names), new Set<unknown>(tableColumns().keys()));
  // Comes first on the search path from now on.
  await execute(url, `create schema "${new URL(url).username}"`);
  assert.deepEqual((await inspectPostgres(url)).missing, []);
});
