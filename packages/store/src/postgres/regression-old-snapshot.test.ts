import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client, type Pool } from "pg";
import { LeaseLostError } from "../port/instances.ts";
import type { Store } from "../port/store.ts";
import { createMigratedDatabase, execute } from "../testing/postgres-server.ts";
import { claim } from "./claim.ts";
import { createHotPool } from "./connection.ts";
import { ONE_WEBHOOK, TEST_OPTIONS } from "./open-harness.ts";
import { openPostgres } from "./open.ts";
import { RowsReadPast } from "./rows-read-past.ts";

const PAGE = 100;
const PAGES = 40;
const ALWAYS = 0;
const REQUEST = { cursor: 0, webhooks: 50, perWebhook: PAGE, hints: [], full: [] };
const BACKLOG = PAGE * PAGES;

let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let store: Store;
let pool: Pool;
before(async () => {
  database = await createMigratedDatabase();
  store = await openPostgres({ ...TEST_OPTIONS, url: database.url });
  pool = createHotPool(database.url, 1, false);
});
after(async () => {
  await pool.end();
  await store.close();
  await database.drop();
});

/** Two webhooks, each with deliveries of one event that are due since 1970, in milliseconds 1 to `BACKLOG`. */
async function setUp(): Promise<number> {
  const { instanceNo } = await store.instances.start("one", "1");
  await store.resources.put([{ id: "r", ownerId: "o", title: "T", subtitle: "" }]);
  for (const id of ["wh_1", "wh_2"]) await store.webhooks.create({ ...ONE_WEBHOOK, id }, null);
  await execute(
    database.url,
    `insert into events (seq, tag, resource_id, kind, time, payload, accepted_at, touched_at)
       values (1, '', 'r', 2, 1, '{}', 1, 1);
     insert into pending (seq, event_seq, webhook_no, kind, due_at, created_at)
       select w.no * 1000000 + n, 1, w.no, 2, n, 1 from webhooks w, generate_series(1, ${BACKLOG}) n
       where w.no > 0`,
  );
  return instanceNo;
}

/** Entries of `pending`'s indexes that this session's claims have read. */
async function readEntries(): Promise<number> {
  const [row] = await execute(
    database.url,
    "select sum(idx_tup_read)::int as n from pg_stat_user_indexes where relname = 'pending'",
  );
  return Number(row?.["n"]);
}

test("claims do not read past all that was claimed before, while a backup keeps it", async (t) => {
  const instanceNo = await setUp();
  const backup = new Client({ connectionString: database.url });
  await backup.connect();
  t.after(() => backup.end());
  await backup.query("begin isolation level repeatable read; select count(*) from pending");
  let at = 0;
  const past = new RowsReadPast(() => at, ALWAYS);
  const request = { instanceNo, ...REQUEST };
  const claimed: number[] = [];
  const take = async (): Promise<void> => {
    const { deliveries } = await claim(pool, request, past);
    claimed.push(...deliveries.map(({ seq }) => seq));
  };
  const from = await readEntries();
  for (let page = 1; page < PAGES; page += 1) await take();
  // A delivery that was given back with its old time is read when the position is over.
  await execute(
    database.url,
    `insert into pending (seq, event_seq, webhook_no, kind, due_at, created_at)
       select 7, 1, no, 2, 1, 1 from webhooks where id = 'wh_1'`,
  );
  await take();
  await take();
  assert.equal(claimed.includes(7), false);
  assert.equal(new Set(claimed).size, 2 * BACKLOG);
  at = Infinity;
  await take();
  assert.equal(claimed.at(-1), 7);
  // What a connection has read is counted when it has ended.
  await pool.end();
  pool = createHotPool(database.url, 1, false);
  const read = (await readEntries()) - from;
  // All rows some times, for each index and each check of their order, and not once per claim: that would be 40 times.
  assert.ok(read < 10 * 2 * BACKLOG, String(read));
});

test("a claim that fails moves no position: its rows are claimed next", async () => {
  const { instanceNo } = await store.instances.start("two", "1");
  await execute(
    database.url,
    `insert into pending (seq, event_seq, webhook_no, kind, due_at, created_at)
       select 9000000 + n, 1, no, 2, n, 1 from webhooks, generate_series(1, 5) n where id = 'wh_1'`,
  );
  const past = new RowsReadPast(() => 0, ALWAYS);
  await assert.rejects(claim(pool, { ...REQUEST, instanceNo: -1 }, past), LeaseLostError);
  const { deliveries } = await claim(pool, { ...REQUEST, instanceNo }, past);
  assert.equal(deliveries.length, 5);
});
