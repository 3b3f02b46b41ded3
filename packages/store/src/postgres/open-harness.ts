import type { TestContext } from "node:test";
import { Client, types } from "pg";
import type { Harness } from "../conformance/harness.ts";
import { World } from "../conformance/world.ts";
import type { Store } from "../port/store.ts";
import { createMigratedDatabase } from "../testing/postgres-server.ts";
import { REAL } from "./planner-ballast.ts";
import { openPostgres } from "./open.ts";

export const TEST_OPTIONS = {
  baseUrl: "https://market.example",
  masterKeys: [new Uint8Array(32).fill(7)],
} as const;

/** Of a resource `r`, for tests that need any. */
export const ONE_WEBHOOK = {
  id: "wh_1",
  resourceId: "r",
  url: "https://receiver.example",
  format: "json",
  events: null,
  description: "",
  secret: "s",
} as const;

/** A store on a database of its own, with that webhook. */
export async function openOneWebhook(t: TestContext): Promise<{ url: string; store: Store }> {
  const { url, drop } = await createMigratedDatabase();
  const store = await openPostgres({ ...TEST_OPTIONS, url });
  t.after(async () => {
    await store.close();
    await drop();
  });
  await store.resources.put([{ id: "r", ownerId: "o", title: "T", subtitle: "" }]);
  await store.webhooks.create(ONE_WEBHOOK, null);
  return { url, store };
}

/** Over a harness that ends with the test. */
export async function testWorld(t: TestContext): Promise<World> {
  const harness = await openPostgresHarness();
  t.after(async () => await harness.close());
  return new World(harness);
}

const INT8 = 20;

/** For tests: stores on a database of its own. */
export async function openPostgresHarness(): Promise<Harness> {
  const database = await createMigratedDatabase();
  const { url } = database;
  let store = await openPostgres({ ...TEST_OPTIONS, url });
  const others: Store[] = [];
  const client = new Client({ connectionString: url, types: numbers() });
  await client.connect();
  const stopNeighbour = await startNeighbour(url);
  let offset = 0;
  return {
    get store() {
      return store;
    },
    async advance(ms) {
      offset += ms;
      await client.query(
        `create or replace function mh_now() returns bigint language sql volatile as
           $$ select floor(extract(epoch from clock_timestamp()) * 1000)::bigint + ${offset} $$`,
      );
    },
    async reopen() {
      await store.close();
      store = await openPostgres({ ...TEST_OPTIONS, url });
      return store;
    },
    async openAnother() {
      const other = await openPostgres({ ...TEST_OPTIONS, url });
      others.push(other);
      return other;
    },
    tables: async () =>
      (await client.query("select tablename from pg_tables where schemaname = 'public'")).rows.map(
        (row) => String(row["tablename"]),
      ),
    tamper: async (sql) => void (await client.query(sql)),
    // Deliveries alone: without the ballast.
    rows: async (table) => {
      const real = table === "leased" || table === "pending" ? `where ${REAL}` : "";
      return (await client.query(`select * from ${table} ${real}`)).rows;
    },
    async close() {
      await stopNeighbour();
      await client.end();
      await Promise.all([store, ...others].map(async (one) => await one.close()));
      await database.drop();
    },
  };
}

/** Anyone who else works on the server: without it, a test that counts on being alone fails only now and then. */
async function startNeighbour(url: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  let stopped = false;
  const work = async (): Promise<void> => {
    while (!stopped) {
      await client.query("begin; select pg_current_xact_id(), pg_sleep(0.02); commit");
      await client.query("select pg_sleep(0.02)");
    }
  };
  const done = work();
  return async () => {
    stopped = true;
    await done;
    await client.end();
  };
}

/** Has the database refuse a statement that deletes or updates more rows of the table than this. */
export async function refuseLargeStatements(
  harness: Harness,
  { table, change, most }: { table: string; change: "delete" | "update"; most: number },
): Promise<void> {
  const rows = change === "delete" ? "old table" : "new table";
  await harness.tamper(`
    create function mh_too_many() returns trigger language plpgsql as $$ begin
      if (select count(*) from changed) > ${most} then raise exception 'too many in one statement'; end if;
      return null;
    end $$;
    create trigger too_many after ${change} on ${table} referencing ${rows} as changed
      for each statement execute function mh_too_many()`);
}

function numbers() {
  return {
    getTypeParser: ((oid: number, format?: "text" | "binary") =>
      oid === INT8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser, // One of its overloads.
  };
}
