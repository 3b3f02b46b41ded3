import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createTestDatabase, execute } from "./testing/postgres-server.ts";
import { migrate as migratePostgres } from "./postgres/migrate.ts";
import { MIGRATIONS as POSTGRES } from "./postgres/migrations/index.ts";
import { Connection } from "./sqlite/connection.ts";
import { migrate as migrateSqlite } from "./sqlite/migrate.ts";
import { MIGRATIONS as SQLITE } from "./sqlite/migrations/index.ts";

test("both databases have the same migrations, by number and name", () => {
  assert.deepEqual(
    SQLITE.map(({ name }) => name),
    POSTGRES.map(({ name }) => name),
  );
  for (const [index, { name }] of SQLITE.entries()) {
    assert.match(name, new RegExp(`^${String(index + 1).padStart(4, "0")}-[a-z-]+$`));
  }
});

test("after migrating both databases have the same tables, columns, nullability and indexes", async () => {
  const [sqlite, postgres] = [sqliteSchema(), await postgresSchema()];
  // What one of them keeps otherwise: SQLite has no sequences and counts its version in a pragma.
  sqlite.delete("counters");
  postgres.delete("schema_version");
  assert.deepEqual(sqlite, postgres);
});

/** As version 6 kept counts of attempts: of two webhooks, and of one that is gone. */
const COUNTS_BY_ID = `
insert into webhooks (no, id, resource_id, owner_id, url, format, description, state, secret, secret_is_text, created_at, updated_at)
values (4, 'wh_a', 'r', 'o', 'https://a.example', 'json', '', 'active', 's', 0, 1, 1),
       (9, 'wh_b', 'r', 'o', 'https://b.example', 'json', '', 'active', 's', 0, 1, 1);
insert into attempt_counts (webhook_id, hour, ok, failed, last_at, last_outcome, last_status)
values ('wh_a', 1, 2, 3, 4, 'ok', 200), ('wh_a', 2, 1, 0, 8, 'timeout', null),
       ('wh_b', 1, 0, 1, 5, 'gone', 410), ('wh_gone', 1, 1, 1, 1, 'ok', 200);`;
const COUNTS = `select webhook_no, hour, ok, failed, last_at, last_outcome, last_status
  from attempt_counts order by webhook_no, hour`;
const COUNTS_BY_NUMBER = [
  [4, 1, 2, 3, 4, "ok", 200],
  [4, 2, 1, 0, 8, "timeout", null],
  [9, 1, 0, 1, 5, "gone", 410],
];

test("counts of attempts that were kept by id are those of the same webhooks by number, on SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "markethook-counts-"));
  const db = new Connection(join(folder, "db"), Date.now, () => performance.now());
  try {
    migrateSqlite(db, SQLITE.slice(0, 6));
    db.exec(COUNTS_BY_ID);
    migrateSqlite(db);
    assert.deepEqual(
      db.all(COUNTS).map((row) => Object.values(row)),
      COUNTS_BY_NUMBER,
    );
  } finally {
    db.close();
    rmSync(folder, { recursive: true });
  }
});

test("counts of attempts that were kept by id are those of the same webhooks by number, on PostgreSQL", async () => {
  const database = await createTestDatabase();
  try {
    await migratePostgres(database.url, POSTGRES.slice(0, 6));
    await execute(database.url, COUNTS_BY_ID);
    await migratePostgres(database.url);
    const rows = await execute(database.url, COUNTS);
    assert.deepEqual(
      rows.map((row) =>
        Object.values(row).map((value) => (/^\d+$/.test(String(value)) ? Number(value) : value)),
      ),
      COUNTS_BY_NUMBER,
    );
  } finally {
    await database.drop();
  }
});

/** As version 15 knew changes of owner: by what both owners were told. */
const CHANGES_OF_OWNER = `
insert into resources (id, owner_id, title, subtitle, created_at, updated_at, deleted_at)
values ('r', 'c', 'T', '', 1, 1, null), ('kept', 'k', 'T', '', 1, 1, null), ('gone', 'g', 'T', '', 1, 1, 50);
insert into events (seq, tag, resource_id, kind, time, payload, accepted_at, touched_at)
values (1, 't', 'r', 1, 1, '{}', 10, 10), (2, 't', 'kept', 1, 1, '{}', 15, 15), (3, 't', 'r', 1, 1, '{}', 20, 20),
       (4, 't', 'r', 1, 1, '{}', 30, 30), (5, 't', 'gone', 1, 1, '{}', 30, 30), (6, 't', 'r', 1, 1, '{}', 40, 40);
insert into notices (kind, owner_id, resource_id, detail, created_at)
values ('owner_changed', 'a', 'r', '{"from":"a","to":"b","webhooksDisabled":0}', 20),
       ('owner_changed', 'b', 'r', '{"from":"a","to":"b","webhooksDisabled":0}', 20),
       ('owner_changed', 'b', 'r', '{"from":"b","to":"c","webhooksDisabled":0}', 35),
       ('owner_changed', 'c', 'r', '{"from":"b","to":"c","webhooksDisabled":0}', 35),
       ('webhook_failing', 'k', 'kept', '{}', 35);`;
const PAST = "select resource_id, owner_id, above, upto from past_owners order by upto";
const OWNED = "select id, owned_above from resources order by id";
const PAST_OWNERS = [
  ["r", "a", 0, 3],
  ["r", "b", 3, 4],
  ["gone", "g", 0, 5],
];
const OWNED_ABOVE = [
  ["gone", 5],
  ["kept", 0],
  ["r", 4],
];

test("owners' times begin where their notices of a change say, on SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "markethook-owners-"));
  const db = new Connection(join(folder, "db"), Date.now, () => performance.now());
  try {
    migrateSqlite(db, SQLITE.slice(0, 15));
    db.exec(CHANGES_OF_OWNER);
    migrateSqlite(db);
    assert.deepEqual(
      [PAST, OWNED].map((query) => db.all(query).map((row) => Object.values(row))),
      [PAST_OWNERS, OWNED_ABOVE],
    );
  } finally {
    db.close();
    rmSync(folder, { recursive: true });
  }
});

test("owners' times begin where their notices of a change say, on PostgreSQL", async () => {
  const database = await createTestDatabase();
  try {
    await migratePostgres(database.url, POSTGRES.slice(0, 15));
    await execute(database.url, CHANGES_OF_OWNER);
    await migratePostgres(database.url);
    const rows = [await execute(database.url, PAST), await execute(database.url, OWNED)];
    assert.deepEqual(
      rows.map((found) =>
        found.map((row) =>
          Object.values(row).map((value) => (/^\d+$/.test(String(value)) ? Number(value) : value)),
        ),
      ),
      [PAST_OWNERS, OWNED_ABOVE],
    );
  } finally {
    await database.drop();
  }
});

type Schema = Map<string, { columns: string[]; indexes: string[] }>;

function sqliteSchema(): Schema {
  const folder = mkdtempSync(join(tmpdir(), "markethook-schema-"));
  const db = new Connection(join(folder, "db"), Date.now, () => performance.now());
  try {
    migrateSqlite(db);
    const tables = db.all(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name",
    );
    return new Map(
      tables.map(({ name }) => [
        String(name),
        {
          columns: db
            .all(
              'select name, type, "notnull" as required, pk from pragma_table_info(?)',
              String(name),
            )
            .map((row) =>
              column(row["name"], row["type"], row["required"] === 1 || row["pk"] !== 0),
            )
            .sort(),
          indexes: db
            .all(
              "select name from sqlite_master where type = 'index' and tbl_name = ? and sql is not null",
              String(name),
            )
            .map((row) => String(row["name"]))
            .sort(),
        },
      ]),
    );
  } finally {
    db.close();
    rmSync(folder, { recursive: true });
  }
}

async function postgresSchema(): Promise<Schema> {
  const database = await createTestDatabase();
  try {
    await migratePostgres(database.url);
    const columns = await execute(
      database.url,
      `select table_name, column_name, data_type, is_nullable from information_schema.columns
       where table_schema = 'public' order by table_name`,
    );
    const indexes = await execute(
      database.url,
      `select c.relname as table_name, i.relname as name from pg_index x
       join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
       join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
       where not exists (select 1 from pg_constraint k where k.conindid = i.oid)`,
    );
    return new Map(
      [...new Set(columns.map((row) => String(row["table_name"])))].map((name) => [
        name,
        {
          columns: columns
            .filter((row) => row["table_name"] === name)
            .map((row) => column(row["column_name"], row["data_type"], row["is_nullable"] === "NO"))
            .sort(),
          indexes: indexes
            .filter((row) => row["table_name"] === name)
            .map((row) => String(row["name"]))
            .sort(),
        },
      ]),
    );
  } finally {
    await database.drop();
  }
}

const TYPES: Readonly<Record<string, string>> = {
  bigint: "integer",
  smallint: "integer",
  bytea: "blob",
};

function column(name: unknown, type: unknown, required: boolean): string {
  const word = String(type).toLowerCase();
  return `${String(name)} ${TYPES[word] ?? word}${required ? "" : " or null"}`;
}
