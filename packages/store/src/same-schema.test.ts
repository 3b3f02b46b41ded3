import assert from "node:assert/strict";
import { test } from "node:test";
import { migrate as migratePostgres } from "./postgres/migrate.ts";
import { MIGRATIONS as POSTGRES } from "./postgres/migrations/index.ts";
import { type Connection, connectWithoutClock } from "./sqlite/connection.ts";
import { migrate as migrateSqlite } from "./sqlite/migrate.ts";
import { MIGRATIONS as SQLITE } from "./sqlite/migrations/index.ts";
import { createMigratedDatabase, createTestDatabase, execute } from "./testing/postgres-server.ts";

/** Each as one line: columns with their defaults, keys, conditions and indexes. */
const OF_POSTGRES = `
select format('column %s.%s %s%s', relname, attname, case when attnotnull then 'not null ' end, pg_get_expr(adbin, adrelid)) as line
from pg_class join pg_attribute on attrelid = pg_class.oid left join pg_attrdef on adrelid = attrelid and adnum = attnum
where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
union all
select format('%s %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
where connamespace = 'public'::regnamespace and contype <> 'n'
union all
select format('index %s %s', indexname, indexdef) from pg_indexes
where schemaname = 'public' and indexname not in (select conname from pg_constraint)`;

/** The same lines, of SQLite. */
const OF_SQLITE = `
select format('column %s.%s %s%s', t.name, c.name, iif(c."notnull" or c.pk, 'not null ', ''), coalesce(c.dflt_value, '')) as line
from sqlite_schema t join pragma_table_info(t.name) c where t.type = 'table'
union all
select format('%s PRIMARY KEY (%s)', t.name, group_concat(c.name, ', ' order by c.pk))
from sqlite_schema t join pragma_table_info(t.name) c where t.type = 'table' and c.pk group by t.name
union all
select format('%s UNIQUE (%s)', t.name, (select group_concat(name, ', ' order by seqno) from pragma_index_info(i.name)))
from sqlite_schema t join pragma_index_list(t.name) i where i.origin = 'u'
union all
select format('%s CHECK ((one = 1))', name) from sqlite_schema where type = 'table' and sql like '%check (one = 1)%'
union all
select format('index %s %s', name, sql) from sqlite_schema where type = 'index' and sql is not null`;

/** Tables of one database alone: PostgreSQL keeps its schema's number, SQLite counters and the newest keys. */
const OF_ONE = /^(?:column )?(?:schema_version|counters|new_keys|sqlite_\w+)\b/;

function alike(lines: readonly string[]): string[] {
  return lines
    .filter((line) => !OF_ONE.test(line))
    .map((line) =>
      line
        .replace(/::text\b/g, "")
        .replace(/\bCREATE( UNIQUE)? INDEX \w+ ON (?:public\.)?(\w+)(?: USING btree)?/i, "$2$1")
        .replaceAll(/[\s()]+/g, " ")
        .toLowerCase()
        .trim(),
    )
    .sort();
}

async function linesOfPostgres(url: string): Promise<string[]> {
  return (await execute(url, OF_POSTGRES)).map((row) => String(row["line"])).sort();
}

function linesOfSqlite(db: Connection): string[] {
  return db
    .all(OF_SQLITE)
    .map((row) => String(row["line"]))
    .sort();
}

test("an upgraded database has the columns, keys and indexes of a new one, and those of both databases are alike", async (t) => {
  const [fresh, upgraded] = [await createMigratedDatabase(), await createTestDatabase()];
  t.after(async () => await Promise.all([fresh.drop(), upgraded.drop()]));
  const [freshSqlite, upgradedSqlite] = [
    connectWithoutClock(":memory:"),
    connectWithoutClock(":memory:"),
  ];
  migrateSqlite(freshSqlite);
  for (let applied = 1; applied <= POSTGRES.length; applied += 1) {
    await migratePostgres(upgraded.url, POSTGRES.slice(0, applied));
    migrateSqlite(upgradedSqlite, SQLITE.slice(0, applied));
  }
  const postgres = await linesOfPostgres(fresh.url);
  const sqlite = linesOfSqlite(freshSqlite);
  assert.deepEqual(await linesOfPostgres(upgraded.url), postgres);
  assert.deepEqual(linesOfSqlite(upgradedSqlite), sqlite);
  assert.deepEqual(alike(sqlite), alike(postgres));
});
