import assert from "node:assert/strict";
import { test } from "node:test";
import { randomBytes } from "node:crypto";
import { createTestDatabase, execute } from "../testing/postgres-server.ts";
import { inspectPostgres } from "./inspect.ts";
import { openPostgres } from "./open.ts";

test("a heartbeat whose connection is lost when none is left goes over another, also where servers are chosen", async (t) => {
  for (const attribute of ["", "?target_session_attrs=read-write"]) {
    const { url, drop } = await createTestDatabase();
    const user = `user_${randomBytes(4).toString("hex")}`;
    const theirs = new URL(`${url}${attribute}`);
    theirs.username = user;
    await execute(
      url,
      `create role ${user} login; alter database ${theirs.pathname.slice(1)} owner to ${user}`,
    );
    const masterKeys = [Buffer.alloc(32, 7)];
    const baseUrl = "https://market.example";
    const store = await openPostgres({ url: theirs.href, baseUrl, masterKeys });
    t.after(async () => {
      await store.close();
      await execute(url, `drop owned by ${user} cascade`);
      await drop();
    });
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
    await store.instances.renew(instanceNo).catch(() => undefined);
    assert.equal(await store.instances.renew(instanceNo), true);
    assert.equal(await store.instances.renew(instanceNo), true);
  }
});

test("the doctor knows the connection limits of the role and of the database, not the server's alone", async (t) => {
  const { url, drop } = await createTestDatabase();
  const user = `user_${randomBytes(4).toString("hex")}`;
  const theirs = new URL(url);
  const database = theirs.pathname.slice(1);
  theirs.username = user;
  await execute(url, `create role ${user} login`);
  t.after(async () => {
    await execute(url, `drop owned by ${user}; drop role ${user}`);
    await drop();
  });
  const connections = async (): Promise<number> => (await inspectPostgres(theirs.href)).connections;
  assert.ok((await connections()) > 14);
  await execute(url, `alter role ${user} connection limit 14`);
  assert.equal(await connections(), 14);
  await execute(url, `alter database ${database} connection limit 10`);
  assert.equal(await connections(), 10);
});
