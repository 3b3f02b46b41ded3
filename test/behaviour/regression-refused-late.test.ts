import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { makeApiKey } from "@markethook/api";
import { listPostgresMigrations, listSqliteMigrations } from "@markethook/store";
import { turnBackPostgres, turnBackSqlite } from "../campaign/earlier-schema.ts";
import { failedStart } from "../development-process.ts";
import { postgresPlace, sqlitePlace } from "../places.ts";
import { startServiceProcess } from "../service-process.ts";

async function onSqlite(t: TestContext) {
  const { folder, env, drop } = await sqlitePlace();
  t.after(drop);
  return {
    folder,
    env,
    turnBack: async () => turnBackSqlite(join(folder, "markethook.sqlite"), 5, "castle", []),
    migrations: () => listSqliteMigrations(folder),
  };
}

async function onPostgres(t: TestContext) {
  const { url, env, drop } = await postgresPlace();
  t.after(drop);
  return {
    folder: env["MARKETHOOK_DATA_DIR"] ?? "",
    env,
    turnBack: () => turnBackPostgres(url, 5, "castle", []),
    migrations: () => listPostgresMigrations(url),
  };
}

/** As `markethook serve` leaves it. */
async function serveOnce(env: Record<string, string>): Promise<void> {
  const service = await startServiceProcess(env);
  service.signal("SIGTERM");
  assert.equal(await service.exited, 0);
}

for (const [name, onPlace] of [
  ["SQLite", onSqlite],
  ["PostgreSQL", onPostgres],
] as const) {
  test(`${name}: development mode refuses a database of the service before it migrates it`, async (t) => {
    const { folder, env, turnBack, migrations } = await onPlace(t);
    await serveOnce(env);
    await turnBack();
    const [files, before] = [readdirSync(folder), await migrations()];
    assert.ok(before.some(({ applied }) => !applied));
    const { code, said } = await failedStart(env);
    assert.equal(code, 2, said);
    assert.match(said, /was not made by development mode/);
    assert.deepEqual(await migrations(), before);
    assert.deepEqual(readdirSync(folder), files);
  });

  test(`${name}: development mode refuses a database of the service in which that of an earlier build ran`, async (t) => {
    const { folder, env } = await onPlace(t);
    await serveOnce(env);
    const key = makeApiKey(randomBytes);
    writeFileSync(join(folder, "dev-api-key"), `${key}\n`);
    await serveOnce({ ...env, MARKETHOOK_API_KEY: key });
    const { code, said } = await failedStart(env);
    assert.equal(code, 2, said);
    assert.match(said, /was not made by development mode/);
  });
}
