import assert from "node:assert/strict";
import { createHash } from "node:crypto";
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
  // What one of them keeps otherwise: SQLite has no sequences, appends new keys, and counts its version in a pragma.
  sqlite.delete("counters");
  sqlite.delete("new_keys");
  postgres.delete("schema_version");
  assert.deepEqual(sqlite, postgres);
});

/** SHA-256 of each migration's SQL. A migration that landed is never changed: what is new is a migration of its own. */
const FROZEN = {
  sqlite: [
    "b600183d5e31207b0e978dccc457656b18a7ca60f600902969a762460871c11d",
    "2c2c064d20bb4c748e6add2f3da004780823b80e11c2d3476d30d9e119083bd8",
    "e9c05a21286b17507d2a04a057dcde1374a9a1105354aa98d07f9e6385ce98a0",
    "abaf4093395464ab39129e10c02e8711d00ca0ebc6ab2e8b2e1ca2a58bc03302",
    "6da32e21d47f36950004c1324d1276c210e1c8e1eeb493c18c67f7343dbe2863",
    "4ed1f02935aa13185b5dc632a13b7a262b79e12f01a2812933f01ee5d5500f1e",
    "a9330520d6bd19be55278edc792ad25599b873be06abb3777aae9e58812c6b41",
    "938adbcd4df93cb62703a2945c0e25d7bbf986961ead1d64d5478d8f6341d22d",
  ],
  postgres: [
    "7f9776ad2dbb0110bb2280bae847c47fa2939ba9804b2cffddd604df374a289d",
    "2fa7b51e7218aea44688e4ba28c3c1e4dc360bb7876374627c1645d608b95731",
    "be4c2d16be644585be4e82e7dc6b3f4bba300ae764348ec7ac12ff7027a73229",
    "abaf4093395464ab39129e10c02e8711d00ca0ebc6ab2e8b2e1ca2a58bc03302",
    "44a3fc9881f5513d7d0d0e405ed3a98b159b1faf3370aa088f6565a4b240f26f",
    "4ed1f02935aa13185b5dc632a13b7a262b79e12f01a2812933f01ee5d5500f1e",
    "c5989e80db29a2bb0acbd852c22a1bb94a733142afa7a90abf7cb36e2e98d3bf",
    "6ccb0f73e993e1ca2e1372843772785bdea164198d15063cb77973dd062391d4",
  ],
};

test("no migration that landed was changed since, and each has its hash here", () => {
  const hashes = (migrations: readonly { sql: string }[]) =>
    migrations.map(({ sql }) => createHash("sha256").update(sql).digest("hex"));
  for (const [dialect, now] of [
    ["sqlite", hashes(SQLITE)],
    ["postgres", hashes(POSTGRES)],
  ] as const) {
    const landed = FROZEN[dialect];
    assert.deepEqual(
      now.slice(0, landed.length),
      landed,
      `a ${dialect} migration that landed was changed: undo that`,
    );
    assert.deepEqual(
      now.slice(landed.length),
      [],
      `a new ${dialect} migration: add its hash to the end of FROZEN`,
    );
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
