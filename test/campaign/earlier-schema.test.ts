import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import {
  listPostgresMigrations,
  listSqliteMigrations,
  type MigrationState,
  upgradePostgres,
  upgradeSqlite,
} from "@markethook/store";
import { postgresPlace, sqlitePlace } from "../places.ts";
import { EARLIER, turnBackPostgres, turnBackSqlite } from "./earlier-schema.ts";

const hint = "undo each later migration in test/campaign/earlier-schema.ts, the newest first";
const applied = (migrations: readonly MigrationState[]): number =>
  migrations.filter((one) => one.applied).length;

for (const schema of EARLIER) {
  test(`a database that is turned back to schema ${schema} migrates again, on SQLite`, async (t) => {
    const { folder, drop } = await sqlitePlace();
    t.after(drop);
    await upgradeSqlite(folder);
    turnBackSqlite(join(folder, "markethook.sqlite"), schema, "castle", []);
    assert.equal(applied(await listSqliteMigrations(folder)), schema);
    await assert.doesNotReject(upgradeSqlite(folder), hint);
  });

  test(`a database that is turned back to schema ${schema} migrates again, on PostgreSQL`, async (t) => {
    const { url, drop } = await postgresPlace();
    t.after(drop);
    await upgradePostgres(url);
    await turnBackPostgres(url, schema, "castle", []);
    assert.equal(applied(await listPostgresMigrations(url)), schema);
    await assert.doesNotReject(upgradePostgres(url), hint);
  });
}
