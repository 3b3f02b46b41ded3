import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { randomBytes } from "node:crypto";
import dns from "node:dns";
import type { Pool } from "pg";
import { createTestDatabase, execute } from "../testing/postgres-server.ts";
import { tryAccept } from "./trial-accept.ts";
import { createHotPool, createManagementPool, inTransaction, readRows } from "./connection.ts";
import { beginGeneration } from "./idempotency-keys.ts";
import { inspectPostgres } from "./inspect.ts";
import { TEST_OPTIONS } from "./open-harness.ts";
import { migrate } from "./migrate.ts";
import { openPostgres } from "./open.ts";
import { onConnectionRefused, opensNoMore } from "./take-client.ts";

type Found = (error: Error | null, addresses?: { address: string; family: number }[]) => void;

/** A database and its owner, whose connections can be limited. */
async function withOwner(t: TestContext) {
  const { url, drop } = await createTestDatabase();
  const user = `user_${randomBytes(4).toString("hex")}`;
  const theirs = new URL(url);
  const database = theirs.pathname.slice(1);
  theirs.username = user;
  await execute(url, `create role ${user} login; alter database ${database} owner to ${user}`);
  t.after(async () => {
    await execute(
      url,
      `alter database ${database} owner to postgres; drop owned by ${user} cascade; drop role ${user}`,
    );
    await drop();
  });
  return { url, user, database, theirs: theirs.href };
}

/** Allows one connection, which is free: the server ends a session only after its client has closed it. */
async function limitToOne(url: string, user: string): Promise<void> {
  await execute(
    url,
    `alter role ${user} connection limit 1;
     select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = '${user}'`,
  );
}

test("work waits for the connections that there are when the server has no more, and takes more when it has", async (t) => {
  const { url, user, theirs } = await withOwner(t);
  const hot = createHotPool(theirs, 6, false);
  const refusals: unknown[] = [];
  onConnectionRefused([hot], (error) => refusals.push(error));
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const workAtOnce = async (): Promise<number> => {
    const work = (): Promise<unknown> =>
      inTransaction(hot, async (client) => await client.query("select pg_sleep(0.02)"));
    await Promise.all(Array.from({ length: 30 }, work));
    return hot.totalCount;
  };
  await execute(url, `alter role ${user} connection limit 2`);
  // The first one alone: while the pool has none, a refusal is an error.
  await inTransaction(hot, async (client) => await client.query("select 1"));
  // Of connections that begin at the same time, PostgreSQL may refuse all.
  assert.ok((await workAtOnce()) <= 2);
  assert.equal(refusals.length, 1);
  assert.match(String(refusals[0]), /too many connections for role/);
  await execute(url, `alter role ${user} connection limit -1`);
  assert.ok((await workAtOnce()) <= 2);
  t.mock.timers.tick(10_000);
  assert.equal(await workAtOnce(), 6);
  await hot.end();
});

test("work goes on with the connections that there are after a change of the role's password", async (t) => {
  const { url, user, theirs } = await withOwner(t);
  const hot = createHotPool(theirs, 6, false);
  const refusals: unknown[] = [];
  onConnectionRefused([hot], (error) => refusals.push(error));
  await inTransaction(hot, async (client) => await client.query("select 1"));
  // As with a password that is wrong by now, which a test's server does not ask for.
  await execute(url, `alter role ${user} nologin`);
  const work = async (): Promise<unknown> =>
    await inTransaction(hot, async (client) => await client.query("select 1"));
  await Promise.all(Array.from({ length: 30 }, work));
  assert.equal(hot.totalCount, 1);
  assert.match(String(refusals[0]), /is not permitted to log in/);
  await hot.end();
});

test("work goes on with the connections that there are while the server's name cannot be looked up", async (t) => {
  const { theirs } = await withOwner(t);
  let known = true;
  t.mock.method(dns, "lookup", (_name: string, _options: unknown, done: Found) => {
    if (known) done(null, [{ address: "127.0.0.1", family: 4 }]);
    else done(Object.assign(new Error("no answer"), { code: "EAI_AGAIN" }));
  });
  const work = async (pool: Pool): Promise<unknown> =>
    await inTransaction(pool, async (client) => await client.query("select 1"));
  for (const attribute of ["", "?target_session_attrs=read-write"]) {
    const hot = createHotPool(theirs.replace("127.0.0.1", "db.example") + attribute, 6, false);
    known = true;
    await work(hot);
    known = false;
    await Promise.all(Array.from({ length: 30 }, () => work(hot)));
    assert.equal(hot.totalCount, 1);
    await hot.end();
  }
});

test("open connections are waited for when the server's certificate has expired, and not when the server is gone", () => {
  const failed = (code: string): Error => Object.assign(new Error(code), { code });
  assert.equal(opensNoMore(failed("CERT_HAS_EXPIRED")), true);
  assert.equal(opensNoMore(failed("ERR_TLS_CERT_ALTNAME_INVALID")), true);
  assert.equal(opensNoMore(failed("ECONNREFUSED")), false);
  const looked = new AggregateError([failed("ECONNREFUSED"), failed("CERT_HAS_EXPIRED")]);
  assert.equal(opensNoMore(new Error("no server takes writes", { cause: looked })), true);
});

test("the trial accept waits for a connection too when the server has no more", async (t) => {
  const { url, user, theirs } = await withOwner(t);
  const pool = createManagementPool(theirs, 3, false);
  await migrate(theirs);
  await limitToOne(url, user);
  const busy = await pool.connect();
  onConnectionRefused([pool], () => busy.release());
  await tryAccept(pool);
  await pool.end();
});

test("a heartbeat whose connection is lost when none is left goes over another, also where servers are chosen", async (t) => {
  for (const attribute of ["", "?target_session_attrs=read-write"]) {
    const { url, user, theirs } = await withOwner(t);
    const masterKeys = [Buffer.alloc(32, 7)];
    const baseUrl = "https://market.example";
    const store = await openPostgres({ url: `${theirs}${attribute}`, baseUrl, masterKeys });
    t.after(() => store.close());
    const { instanceNo } = await store.instances.start("n", "v");
    // Opens one of the hot path's.
    await store.deliveries.releaseForgotten(instanceNo, []);
    await execute(
      url,
      `alter role ${user} connection limit 1;
       select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where usename = '${user}' and application_name = 'markethook heart'`,
    );
    // The first may be the one that finds its connection ended.
    await store.instances.renew(instanceNo, false).catch(() => undefined);
    assert.equal(await store.instances.renew(instanceNo, false), true);
    assert.equal(await store.instances.renew(instanceNo, false), true);
  }
});

test("the log is read although others have taken all other connections since the start", async (t) => {
  const { url, user, theirs } = await withOwner(t);
  const store = await openPostgres({ ...TEST_OPTIONS, url: theirs });
  t.after(() => store.close());
  await execute(url, `alter role ${user} connection limit 1`);
  assert.deepEqual(await store.notices.list(0, 10, null), []);
  const logged = await store.log.list({ ownerId: "o" }, { beforeSeq: null, limit: 10 });
  assert.deepEqual(logged.items, []);
});

test("what is read outside of transactions waits for open connections, too", async (t) => {
  const { url, user, theirs } = await withOwner(t);
  await migrate(theirs);
  for (const read of [
    (pool: Pool) => readRows(pool, "select 1 as one"),
    (pool: Pool) => beginGeneration(pool, 3_600_000),
  ]) {
    await limitToOne(url, user);
    const pool = createManagementPool(theirs, 3, false);
    const busy = await pool.connect();
    onConnectionRefused([pool], () => busy.release());
    await read(pool);
    await pool.end();
  }
});

test("the doctor knows the connection limits of the role and of the database, not the server's alone", async (t) => {
  const { url, user, database, theirs } = await withOwner(t);
  const connections = async (): Promise<number> => (await inspectPostgres(theirs)).connections;
  assert.ok((await connections()) > 14);
  await execute(url, `alter role ${user} connection limit 14`);
  assert.equal(await connections(), 14);
  await execute(url, `alter database ${database} connection limit 10`);
  assert.equal(await connections(), 10);
});
