import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { makeTag } from "@markethook/protocol";
import { openPostgres, openSqlite, type Store } from "@markethook/store";
import { createTestDatabase, execute } from "@markethook/store/testing";
import { startDurablePostgres } from "./rig/durable-postgres.ts";
import { exitAtSignals } from "./rig/kill-at-exit.ts";

const HELP = `npm run bench:keys -- [options]

What idempotency keys cost where many are stored: accepts events straight into a store, with keys that follow one
another and then with UUIDs, and says the rate, this process's processor time and the bytes written per event
(PostgreSQL: its log).

  --store NAME   sqlite or postgres; default both
  --stored N     keys stored before, over the time that they are kept (1000000)
  --events N     of each kind (200000)
  --help`;

const KEPT_MS = 72 * 3600 * 1000;
const SPAN_MS = KEPT_MS / 6;
const BATCH = 100;
const IN_FLIGHT = 8;
/** Both kinds take turns. */
const ROUNDS = 5;
const RESOURCES = 100;
const OPTIONS = { baseUrl: "https://market.example", masterKeys: [new Uint8Array(32).fill(7)] };

const { values } = parseArgs({
  options: {
    store: { type: "string" },
    stored: { type: "string", default: "1000000" },
    events: { type: "string", default: "200000" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit();
}
const [stored, events] = [Number(values.stored), Number(values.events)];

if (values.store !== "postgres") await measureSqlite();
if (values.store !== "sqlite") await measurePostgres();

async function measureSqlite(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "markethook-keys-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  exitAtSignals();
  process.once("exit", remove);
  try {
    await (await openSqlite({ ...OPTIONS, folder })).close();
    const db = new DatabaseSync(join(folder, "markethook.sqlite"));
    db.exec("pragma synchronous = off");
    db.exec("delete from key_generations");
    for (const { no, beganAt, keys } of generations()) {
      db.exec(`insert into key_generations values (${no}, ${beganAt});
        insert into idempotency_keys (generation, key, body_hash, event_seq, tag)
          with recursive n(i) as (select 1 union all select i + 1 from n where i < ${keys})
          select ${no}, randomblob(16) as key, randomblob(16), -i, 'abcdefghij' from n order by key`);
      // For signals.
      await new Promise(setImmediate);
    }
    db.close();
    const store = await openSqlite({ ...OPTIONS, folder });
    await compare("SQLite, bytes written per event", store, async () => written());
    await store.close();
  } finally {
    remove();
  }
}

async function measurePostgres(): Promise<void> {
  const server = await startDurablePostgres();
  const database = await createTestDatabase(server.url);
  try {
    await (await openPostgres({ ...OPTIONS, url: database.url })).close();
    await execute(database.url, "delete from key_generations");
    for (const { no, beganAt, keys } of generations()) {
      await execute(
        database.url,
        `insert into key_generations values (${no}, ${beganAt});
         insert into idempotency_keys (generation, key, body_hash, event_seq, tag)
           select ${no}, uuid_send(gen_random_uuid()) as key, uuid_send(gen_random_uuid()), -i, 'abcdefghij'
           from generate_series(1, ${keys}) as i order by key`,
      );
    }
    await execute(database.url, "vacuum analyze idempotency_keys");
    const store = await openPostgres({ ...OPTIONS, url: database.url });
    await compare("PostgreSQL, bytes of the log per event", store, async () => {
      // As after a checkpoint: each page that is changed goes into the log whole, once.
      await execute(database.url, "checkpoint");
      const [row] = await execute(
        database.url,
        "select (pg_current_wal_insert_lsn() - '0/0')::text as bytes",
      );
      return Number(row?.["bytes"]);
    });
    await store.close();
  } finally {
    await database.drop();
    await server.stop();
  }
}

/** As many as a service has after that time, the last one half as old as the others became. */
function generations(): { no: number; beganAt: number; keys: number }[] {
  const now = Date.now();
  const count = Math.round(KEPT_MS / SPAN_MS);
  return Array.from({ length: count + 1 }, (_, no) => ({
    no,
    beganAt: Math.floor(now - (count - no + 0.5) * SPAN_MS),
    keys: Math.round((stored * (no === count ? 0.5 : 1)) / (count + 0.5)),
  }));
}

async function compare(
  what: string,
  store: Store,
  bytes: () => Promise<number> | number,
): Promise<void> {
  const ids = Array.from({ length: RESOURCES }, (_, index) => `resource-${index}`);
  await store.resources.put(ids.map((id) => ({ id, ownerId: "o", title: "T", subtitle: "" })));
  let last = 0;
  const kinds = {
    ordered: () => `order-${String((last += 1)).padStart(31, "0")}`,
    uuid: () => randomUUID(),
  };
  await accept(store, ids, events / 10, kinds.ordered);
  const seconds = { ordered: 0, uuid: 0 };
  const cost = { ordered: 0, uuid: 0 };
  const cpu = { ordered: 0, uuid: 0 };
  const part = events / ROUNDS;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const kind of ["ordered", "uuid"] as const) {
      const before = await bytes();
      const startedAt = performance.now();
      const cpuBefore = process.cpuUsage();
      await accept(store, ids, part, kinds[kind]);
      seconds[kind] += (performance.now() - startedAt) / 1000;
      const { user, system } = process.cpuUsage(cpuBefore);
      cpu[kind] += user + system;
      cost[kind] += (await bytes()) - before;
    }
  }
  for (const kind of ["ordered", "uuid"] as const) {
    const figures = [cost[kind] / events, events / seconds[kind], cpu[kind] / events];
    const [each, rate, micros] = figures.map(Math.round);
    console.log(
      `${what}, ${stored} keys stored, ${kind}: ${each}, ${rate} events/s, ${micros} µs of processor per event`,
    );
  }
  console.log(`rate of uuid to ordered: ${(seconds.ordered / seconds.uuid).toFixed(2)}`);
}

async function accept(
  store: Store,
  ids: readonly string[],
  count: number,
  key: () => string,
): Promise<void> {
  let left = count;
  const sendSome = async (): Promise<void> => {
    while (left > 0) {
      left -= BATCH;
      const items = Array.from({ length: BATCH }, (_, index) => ({
        name: "product.user.purchase" as const,
        resourceId: ids[index % ids.length] ?? "",
        userId: 1 + Math.floor(Math.random() * 1_000_000),
        time: Math.floor(Date.now() / 1000),
        tag: makeTag(randomBytes),
        idempotency: { key: key(), bodyHash: randomUUID() },
      }));
      const { results } = await store.events.accept(items, null);
      if (results.some(({ kind }) => kind !== "accepted")) throw new Error("not all were accepted");
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, sendSome));
}

/** By this process and its threads, as the system counts it. */
function written(): number {
  return Number(/^write_bytes: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
}
