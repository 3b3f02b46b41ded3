import assert from "node:assert/strict";
import { test } from "node:test";
import { randomBytes } from "node:crypto";
import { createTestDatabase, execute } from "../testing/postgres-server.ts";
import { inspectPostgres } from "./inspect.ts";

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
