import assert from "node:assert/strict";
import { test } from "node:test";
import { isMarkethookError } from "@markethook/protocol";
import { startPair } from "../testing/postgres-cluster.ts";
import { createTestDatabase, execute } from "../testing/postgres-server.ts";
import { comparePostgres } from "./compare-urls.ts";
import { migrate } from "./migrate.ts";

test("two URLs are told to lead to one database or to two, with and without tables, and to a copy", async (t) => {
  const one = await createTestDatabase();
  t.after(() => one.drop());
  const name = new URL(one.url).pathname.slice(1);
  const copy = new URL(one.url);
  copy.pathname = `/${name}_copy`;
  const admin = new URL(one.url);
  admin.pathname = "/postgres";
  assert.equal(await comparePostgres(one.url, one.url), "same");
  await migrate(one.url);
  await execute(one.url, "insert into meta (key, value) values ('dedupe_secret', 'x')");
  await execute(admin.href, `create database ${name}_copy template ${name}`);
  t.after(() => execute(admin.href, `drop database ${name}_copy with (force)`));
  assert.equal(await comparePostgres(one.url, one.url), "same");
  assert.equal(await comparePostgres(one.url, copy.href), "two_databases");
  assert.equal(await comparePostgres(copy.href, one.url), "two_databases");
});

test("a user with no rights but to connect may compare", async (t) => {
  const [one, other] = [await createTestDatabase(), await createTestDatabase()];
  const role = `compares_${process.pid}`;
  await execute(one.url, `create role ${role} login`);
  const revoked = "execute on function pg_control_system()";
  for (const { url } of [one, other]) await execute(url, `revoke ${revoked} from public`);
  t.after(async () => {
    await execute(one.url, `drop role ${role}`);
    await one.drop();
    await other.drop();
  });
  const [own, others] = [one.url, other.url].map((text) => {
    const url = new URL(text);
    url.username = role;
    return url.href;
  });
  assert.ok(own !== undefined && others !== undefined);
  await assert.rejects(execute(own, "select pg_control_system()"), /permission denied/);
  assert.equal(await comparePostgres(own, one.url), "same");
  assert.equal(await comparePostgres(own, others), "two_databases");
});

test("a standby is another server of the same cluster, and one that was promoted apart too", async (t) => {
  const { first, second } = await startPair(t);
  const [one, other] = [first, second].map(
    ({ port }) => `postgres://postgres@127.0.0.1:${port}/postgres`,
  );
  assert.ok(one !== undefined && other !== undefined);
  assert.equal(await comparePostgres(one, other), "two_servers");
  assert.equal(await comparePostgres(other, one), "two_servers");
  await second.promote();
  assert.equal(await comparePostgres(one, other), "two_servers");
});

test("a server that is away is an error, whichever of the two it is", async (t) => {
  const one = await createTestDatabase();
  t.after(() => one.drop());
  const away = "postgres://u@127.0.0.1:1/none";
  for (const [url, other] of [
    [one.url, away],
    [away, one.url],
  ] as const) {
    await assert.rejects(comparePostgres(url, other), (error) =>
      isMarkethookError(error, "store_unavailable"),
    );
  }
});
