import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Client } from "pg";
import { createTestDatabase } from "../testing/postgres-server.ts";
import { tellWaits } from "./tell-waits.ts";

const LOCK = 4711;

test("a session that waits for a lock tells who holds it, once for each holder, whatever that does meanwhile", async (t) => {
  const database = await createTestDatabase();
  const connect = async (application_name: string): Promise<Client> => {
    const client = new Client({ connectionString: database.url, application_name });
    await client.connect();
    return client;
  };
  const [start, dump, psql] = [await connect(""), await connect("pg_dump"), await connect("psql")];
  const query = mock.method(Client.prototype, "query");
  const looks = (): number =>
    query.mock.calls.filter(({ arguments: [sql] }) => String(sql).includes("pg_blocking_pids"))
      .length;
  const told: string[][] = [];
  let heard = (): void => undefined;
  const stop = await tellWaits(
    database.url,
    start,
    (holders) => {
      told.push(holders);
      heard();
    },
    10,
  );
  t.after(async () => {
    stop();
    query.mock.restore();
    await Promise.all([start, dump, psql].map((client) => client.end()));
    await database.drop();
  });
  const next = async (): Promise<void> => await new Promise((resolve) => (heard = resolve));

  await dump.query("select pg_advisory_lock($1)", [LOCK]);
  const first = next();
  const locked = start.query("select pg_advisory_lock($1)", [LOCK]);
  await first;
  // The holder is in a transaction now, and busy and idle in turn.
  await dump.query("begin");
  for (const seen = looks(); looks() < seen + 5;) await dump.query("select 1");
  await dump.query("commit");
  const taken = psql.query("select pg_advisory_lock($1)", [LOCK + 1]);
  await taken;
  await dump.query("select pg_advisory_unlock($1)", [LOCK]);
  await locked;
  const second = next();
  const again = start.query("select pg_advisory_lock($1)", [LOCK + 1]);
  await second;
  await psql.query("select pg_advisory_unlock($1)", [LOCK + 1]);
  await again;
  const names = told.map((holders) => holders.map((holder) => holder.replace(/\d+/, "N")));
  assert.deepEqual(names, [
    ["session N, pg_dump, user postgres, idle"],
    ["session N, psql, user postgres, idle"],
  ]);
});

test("a look asks only when the one before has its answer, so that no late answer tells a holder once more", async () => {
  const database = await createTestDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const { query } = Client.prototype;
  const looked = Promise.withResolvers<void>();
  let [looks, open, most] = [0, 0, 0];
  const mocked = mock.method(Client.prototype, "query", function (this: Client, ...args: never[]) {
    const answer: unknown = Reflect.apply(query, this, args);
    if (!String(args[0]).includes("pg_blocking_pids")) return answer;
    open += 1;
    most = Math.max(most, open);
    void Promise.resolve(answer).finally(() => {
      open -= 1;
      looks += 1;
      if (looks === 10) looked.resolve();
    });
    return answer;
  });
  const stop = await tellWaits(database.url, client, () => undefined, 1);
  await looked.promise;
  stop();
  mocked.mock.restore();
  await client.end();
  await database.drop();
  assert.equal(most, 1);
});
