import assert from "node:assert/strict";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { withCode } from "../conformance/checks.ts";
import { openPostgres } from "../postgres/open.ts";
import { migrate } from "../postgres/migrate.ts";
import { MIGRATIONS as POSTGRES } from "../postgres/migrations/index.ts";
import { connectWithoutClock } from "../sqlite/connection.ts";
import { migrate as migrateSqlite } from "../sqlite/migrate.ts";
import { MIGRATIONS } from "../sqlite/migrations/index.ts";
import { openSqlite } from "../sqlite/open.ts";
import { TEST_OPTIONS } from "../sqlite/open-harness.ts";
import { everything, fill, type Pair, pairTest } from "../testing/move-pair.ts";
import { askInOneSession } from "../testing/postgres-server.ts";
import { moveToPostgres } from "./move-to-postgres.ts";

async function mustBeRefused(pair: Pair, code: string, says = /./): Promise<void> {
  await assert.rejects(moveToPostgres(pair.options), (error: Error) => {
    assert.match(error.message, says);
    return withCode(code)(error);
  });
  assert.equal(existsSync(join(pair.folder, "moved.json")), false);
}

pairTest("a folder whose service runs is refused", async (pair) => {
  const store = await openSqlite({ ...TEST_OPTIONS, folder: pair.folder });
  await mustBeRefused(pair, "data_dir_in_use");
  await store.close();
});

pairTest("a folder without a database is refused, and nothing is made in it", async (pair) => {
  await mustBeRefused(pair, "data_dir_unusable", /There is no .*markethook\.sqlite/);
  assert.deepEqual(readdirSync(pair.folder), []);
});

pairTest("another master key is refused before PostgreSQL is touched", async (pair) => {
  await fill(pair.folder);
  const masterKeys = [new Uint8Array(32).fill(8)];
  await mustBeRefused({ ...pair, options: { ...pair.options, masterKeys } }, "master_key_wrong");
  assert.deepEqual(
    await pair.postgres("select tablename from pg_tables where schemaname = 'public'"),
    [],
  );
});

pairTest(
  "a database that a service has opened, or that has any row, is refused and left as it is",
  async (pair) => {
    await fill(pair.folder);
    await migrate(pair.url);
    await pair.postgres("insert into past_owners values ('r', 'o', 1, 2)");
    await mustBeRefused(pair, "database_not_empty", /has rows in past_owners/);
    await pair.postgres("delete from past_owners");
    await (await openPostgres({ ...TEST_OPTIONS, url: pair.url })).close();
    const before = await everything(pair);
    await mustBeRefused(pair, "database_not_empty", /has rows in .*meta/);
    assert.deepEqual(await everything(pair), before);
  },
);

pairTest(
  "a database in use is refused without waiting for its services, which would wait too",
  async (pair) => {
    await fill(pair.folder);
    await (await openPostgres({ ...TEST_OPTIONS, url: pair.url })).close();
    const service = askInOneSession(pair.url);
    await service("begin");
    await service("lock table events in row exclusive mode");
    await mustBeRefused(pair, "database_not_empty");
    await service("commit");
  },
);

pairTest(
  "a PostgreSQL database with tables of an earlier version is refused and not upgraded",
  async (pair) => {
    await fill(pair.folder);
    await migrate(pair.url, POSTGRES.slice(0, 1));
    await mustBeRefused(pair, "database_not_empty", /tables of an earlier version/);
    assert.equal((await pair.postgres("select * from schema_version")).length, 1);
  },
);

pairTest(
  "a database of an earlier version is brought to this one first, and one of a later version is refused",
  async (pair) => {
    const db = connectWithoutClock(join(pair.folder, "markethook.sqlite"));
    migrateSqlite(db, MIGRATIONS.slice(0, 1));
    db.exec("insert into idempotency_keys values ('old', 'body', 1, 'tag', 43200000)");
    db.close();
    assert.equal((await moveToPostgres(pair.options)).rows["idempotency_keys"], 1);
    const { sqlite, postgres } = await everything(pair);
    assert.deepEqual(postgres, sqlite);
    rmSync(join(pair.folder, "moved.json"));
    pair.sqlite(`pragma user_version = ${MIGRATIONS.length + 1}`);
    await mustBeRefused(pair, "schema_newer");
  },
);

for (const [title, tamper, says] of [
  [
    "a text with a NUL",
    "update events set payload = 'a' || char(0) where seq = (select max(seq) from events)",
    /row seq \d+ of events .*0x00/,
  ],
  [
    "a text that is no UTF-8",
    "update resources set title = cast(x'ff41' as text) where id = 'resource-2'",
    /row id resource-2 of resources .*0xff/,
  ],
  [
    "a text in a number",
    "update ended set attempts = 'many' where seq = (select max(seq) from ended)",
    /row seq \d+ of ended .*attempts holds no whole number/,
  ],
  [
    "a fraction in a number",
    "update webhooks set mask = 1.5 where no = 2",
    /row no 2 of webhooks .*mask holds no whole number/,
  ],
  [
    "a number in bytes",
    "update idempotency_keys set body_hash = 5",
    /row generation \d+, key [0-9a-f]{32} of idempotency_keys .*body_hash holds no bytes/,
  ],
  [
    "a number above its column's range",
    "update pending set blocked = 40000 where seq = (select max(seq) from pending)",
    /row seq \d+ of pending .*smallint out of range/,
  ],
  [
    "a text that no index holds",
    "update resources set owner_id = hex(randomblob(20000)) where id = 'resource-2'",
    /row id resource-2 of resources .*index row/,
  ],
  [
    "nothing where a key must be",
    "update api_keys set id = null",
    /row id null of api_keys .*null value in column "id"/,
  ],
] as const) {
  pairTest(`${title} is refused by table and row, and nothing is moved`, async (pair) => {
    await fill(pair.folder);
    await migrate(pair.url);
    pair.sqlite(tamper);
    const before = await everything(pair);
    await mustBeRefused(pair, "row_not_movable", says);
    assert.deepEqual(await everything(pair), before);
  });
}

pairTest("numbers that JavaScript does not have are moved as they are", async (pair) => {
  await fill(pair.folder);
  pair.sqlite(
    "update events set user_id = 9223372036854775807, time = -9223372036854775808 where seq = 1",
  );
  pair.sqlite("update resources set created_at = 9007199254740993");
  await moveToPostgres(pair.options);
  const { sqlite, postgres } = await everything(pair);
  assert.deepEqual(postgres, sqlite);
});

pairTest(
  "a row that is refused because of another one is told by the batch of both",
  async (pair) => {
    await fill(pair.folder);
    await migrate(pair.url);
    await pair.postgres("create unique index planted on resources (title)");
    await mustBeRefused(
      pair,
      "row_not_movable",
      /of resources .*planted.*, between id \S+ and id /,
    );
  },
);

pairTest("rows that do not come to PostgreSQL are noticed by their count", async (pair) => {
  await fill(pair.folder);
  await migrate(pair.url);
  await pair.postgres("create rule planted as on insert to past_owners do instead nothing");
  await mustBeRefused(pair, "row_not_movable", /past_owners has 1 rows in SQLite, and 0 came/);
});
