import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { Client } from "pg";
import { startPair } from "../testing/postgres-cluster.ts";
import { createHeartPool, createHotPool, inTransaction } from "./connection.ts";
import { inspectPostgres } from "./inspect.ts";
import { listPostgresMigrations, migrate } from "./migrate.ts";
import { ServerClient, serverUrls } from "./choose-server.ts";

/** The two, and a URL that names both, the standby first. */
async function startNamedPair(t: TestContext) {
  const { first, second } = await startPair(t);
  const url = `postgresql://postgres@127.0.0.1:${second.port},127.0.0.1:${first.port}/postgres?target_session_attrs=read-write`;
  return { first, second, url };
}

const WHERE = "select inet_server_port() as port";

test("of several servers the one that takes writes is used, and after a promotion the new one, by all that connect", async (t) => {
  const { first, second, url } = await startNamedPair(t);
  await migrate(url);
  const hot = createHotPool(url, 3, false);
  const heart = createHeartPool(url);
  t.after(() => Promise.all([hot.end(), heart.end()]));
  const write = (): Promise<number> =>
    inTransaction(hot, async (client) => {
      await client.query("insert into meta (key, value) values (gen_random_uuid(), 'x')");
      return Number((await client.query<{ port: number }>(WHERE)).rows[0]?.port);
    });
  assert.equal(await write(), first.port);
  await heart.query("select 1");
  assert.equal((await inspectPostgres(url)).readOnly, false);

  await second.catchUp(first);
  await first.stop("SIGKILL");
  const refusals: string[] = [];
  // An open connection ends first, then a new one is refused; after that the others are asked.
  while (!/no server takes writes: .*is read-only/.test(refusals.at(-1) ?? "")) {
    assert.ok(refusals.length < 5, refusals.join("\n"));
    await write().then(
      (port) => assert.fail(`written at ${port}`),
      (error: unknown) => refusals.push(String(error)),
    );
  }
  await second.promote();
  assert.equal(await write(), second.port);
  assert.equal((await heart.query<{ port: number }>(WHERE)).rows[0]?.port, second.port);
  assert.ok((await listPostgresMigrations(url)).every(({ applied }) => applied));
});

test("a server that stops taking writes is left at the first refusal, by connections that were idle too", async (t) => {
  const { first, second, url } = await startNamedPair(t);
  const hot = createHotPool(url, 2, false);
  t.after(() => hot.end());
  const idle = new ServerClient({ connectionString: url });
  idle.on("error", () => undefined);
  await idle.connect();
  const left = new Promise((resolve) => idle.once("end", resolve));
  await hot.query("create table written (a int)");
  await second.catchUp(first);
  await second.promote();
  const operator = new Client({ connectionString: first.url });
  await operator.connect();
  await operator.query("alter system set default_transaction_read_only = on");
  await operator.query("select pg_reload_conf()");
  await operator.end();

  const write = (): Promise<unknown> =>
    inTransaction(hot, (client) => client.query("insert into written values (1)"));
  let refused = 0;
  // A session hears of the setting when it next waits for a statement.
  while (refused === 0) await write().catch(() => (refused += 1));
  await left;
  await write();
  const { rows } = await hot.query<{ port: number }>(WHERE);
  assert.equal(rows[0]?.port, second.port);
});

test("a server that no longer answers is left once another one takes writes", async (t) => {
  const { first, second, url } = await startNamedPair(t);
  const heart = createHeartPool(url);
  t.after(() => heart.end());
  const idle = new ServerClient({ connectionString: url });
  idle.on("error", () => undefined);
  await idle.connect();
  const left = new Promise((resolve) => idle.once("end", resolve));
  await heart.query("select 1");
  await second.promote();
  first.freeze();
  await assert.rejects(heart.query("select 1"), /timeout/);
  await assert.rejects(heart.query("select 1"), /terminated/);
  const { rows } = await heart.query<{ port: number }>(WHERE);
  assert.equal(rows[0]?.port, second.port);
  await left;
});

test("a URL of one server stays as it is, and what cannot be read is refused with a sentence", () => {
  const one = "postgres://user:p%40ss@db.example:5432/markethook?sslmode=verify-full";
  assert.deepEqual(serverUrls(one), { urls: [one], asks: false });
  assert.deepEqual(serverUrls("postgres:///markethook?host=/run"), {
    urls: ["postgres:///markethook?host=/run"],
    asks: false,
  });
  assert.deepEqual(serverUrls("postgres://u@/markethook?host=/run").urls, [
    "postgres://u@localhost/markethook?host=/run",
  ]);
  assert.deepEqual(serverUrls("postgresql://u@a:1,[::1]:2,c/db?target_session_attrs=primary&x=1"), {
    urls: ["postgresql://u@a:1/db?x=1", "postgresql://u@[::1]:2/db?x=1", "postgresql://u@c/db?x=1"],
    asks: true,
  });
  assert.deepEqual(serverUrls("postgresql://a/db?target_session_attrs=read-write"), {
    urls: ["postgresql://a/db"],
    asks: true,
  });
  // The driver does the same, and warns.
  assert.deepEqual(serverUrls("postgres://a/db?sslmode=require&x=1").urls, [
    "postgres://a/db?sslmode=verify-full&x=1",
  ]);
  const libpq = "postgres://a/db?uselibpqcompat=true&sslmode=require";
  assert.deepEqual(serverUrls(libpq).urls, [libpq]);
  assert.throws(() => serverUrls("postgres://a/db?sslmode=on"), /sslmode must be verify-full/);
  for (const misspelt of ["sslmod=verify-full", "sslMode=require", "SSL_MODE=require"])
    assert.throws(() => serverUrls(`postgres://a/db?${misspelt}`), /turns no TLS on/);
  const known = "postgres://a/db?sslmode=verify-full&sslcrl=/a.crl";
  assert.deepEqual(serverUrls(known).urls, [known]);
  assert.throws(() => serverUrls("mysql://a/db"), /starts with postgres/);
  assert.throws(() => serverUrls("postgres://a:x,b/db"), /not a URL such as/);
  for (const password of ["p/ss", "p#ss"])
    assert.throws(() => serverUrls(`postgres://u:${password}@a/db`), /\/ is %2F and # is %23/);
  assert.throws(() => serverUrls("postgres://u:p%e4@a/db"), /% is %25/);
  assert.throws(
    () => serverUrls("postgres://a,b/db?target_session_attrs=standby"),
    /must be read-write/,
  );
});
