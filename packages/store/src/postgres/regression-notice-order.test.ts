import assert from "node:assert/strict";
import { after, before, test, type TestContext } from "node:test";
import { Client } from "pg";
import type { Store } from "../port/store.ts";
import { createMigratedDatabase } from "../testing/postgres-server.ts";
import { TEST_OPTIONS } from "./open-harness.ts";
import { openPostgres } from "./open.ts";

const RIGHT_MS = 20_000;
const NOTICE =
  "insert into notices (kind, owner_id, resource_id, detail, created_at) values ('webhook_disabled', $1, 'r', '{}', 1)";

let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let store: Store;
before(async () => {
  database = await createMigratedDatabase();
  store = await openPostgres({ ...TEST_OPTIONS, url: database.url });
});
after(async () => {
  await store.close();
  await database.drop();
});

/** A transaction in its own session. */
async function begin(t: TestContext, url = database.url): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  t.after(async () => await client.end());
  await client.query("begin");
  await client.query("select pg_current_xact_id()");
  return client;
}

async function listed(after: number): Promise<string[]> {
  return (await store.notices.list(after, 100, null)).map(({ ownerId }) => ownerId);
}

const newest = async (): Promise<number> => (await store.notices.newest(1))[0]?.no ?? 0;

test("a notice is not listed before one with a smaller number that commits later", async (t) => {
  const from = await newest();
  // The transaction that began first takes the larger number.
  const quick = await begin(t);
  const slow = await begin(t);
  await slow.query(NOTICE, ["slow"]);
  await quick.query(NOTICE, ["quick"]);
  await quick.query(NOTICE, ["quick"]);
  await quick.query("commit");
  assert.deepEqual(await listed(from), []);
  // Posting would begin after what it has not seen.
  assert.equal(await store.noticePosts.take("one", RIGHT_MS), from);
  await slow.query("commit");
  assert.deepEqual(await listed(from), ["slow", "quick", "quick"]);
});

test("a transaction that took a number and was undone holds nothing up", async (t) => {
  const from = await newest();
  const undone = await begin(t);
  await undone.query(NOTICE, ["undone"]);
  const kept = await begin(t);
  await kept.query(NOTICE, ["kept"]);
  await kept.query("commit");
  assert.deepEqual(await listed(from), []);
  await undone.query("rollback");
  assert.deepEqual(await listed(from), ["kept"]);
});

test("notices are listed while long transactions run that write none, here and in other databases", async (t) => {
  const from = await newest();
  const elsewhere = String(Object.assign(new URL(database.url), { pathname: "/postgres" }));
  const clients = [await begin(t), await begin(t, elsewhere)];
  // Of these, one holds the lock of readers of the table.
  await clients[0]?.query("select count(*) from notices");
  const writer = await begin(t);
  await writer.query(NOTICE, ["owner"]);
  await writer.query("commit");
  assert.deepEqual(await listed(from), ["owner"]);
});

test("a transaction takes one lock for all its notices", async (t) => {
  const writer = await begin(t);
  for (let times = 0; times < 3; times += 1) await writer.query(NOTICE, ["owner"]);
  const { rows } = await writer.query(
    "select count(*)::int as n from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()",
  );
  assert.deepEqual(rows, [{ n: 1 }]);
  await writer.query("commit");
});
