import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestDatabase } from "@markethook/store/testing/postgres";
import { type Place, postgresPlace, sqlitePlace } from "../places.ts";
import { startServiceProcess } from "../service-process.ts";
import { runCommand, startCommand } from "./command-process.ts";

const PLACES: Readonly<Record<string, () => Promise<Place>>> = {
  SQLite: sqlitePlace,
  PostgreSQL: () => postgresPlace(createTestDatabase),
};

for (const [name, open] of Object.entries(PLACES)) {
  test(`${name}: migrate tells what is pending, applies it once, and serve goes on from there`, async (t) => {
    const { env, drop } = await open();
    t.after(drop);
    const check = await runCommand(["migrate", "--check"], { env });
    assert.equal(check.code, 1, check.stderr);
    assert.match(
      check.stdout,
      new RegExp(`^${name} (in|at) .*\nmigration +state\n0001-first +pending\n`),
    );
    const first = await startCommand(["migrate"], { env }).ended;
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stdout, /0001-first +applied now\n[^]*at this version now\.\n$/);

    const service = await startServiceProcess(env);
    // Asking is allowed while a service runs.
    const beside = await runCommand(["migrate", "--dry-run", "--json"], { env });
    assert.equal(beside.code, 0, beside.stderr);
    const { pending, migrations } = JSON.parse(beside.stdout) as {
      pending: number;
      migrations: { state: string }[];
    };
    assert.equal(pending, 0);
    assert.ok(migrations.every(({ state }) => state === "applied before"));
    service.signal("SIGTERM");
    assert.equal(await service.exited, 0);
  });
}

test("a database that cannot be reached, and a misspelt setting, end with 2 and a sentence", async () => {
  const [unreachable, misspelt] = await Promise.all([
    runCommand(["migrate"], { env: { MARKETHOOK_DATABASE_URL: "postgres://127.0.0.1:1/none" } }),
    runCommand(["migrate"], { env: { MARKETHOOK_DATADIR: "x" } }),
  ]);
  assert.deepEqual([unreachable.code, misspelt.code], [2, 2]);
  assert.match(unreachable.stderr, /Check MARKETHOOK_DATABASE_URL[^]*\[store_unavailable\]/);
  assert.match(misspelt.stderr, /MARKETHOOK_DATADIR: There is no such setting/);
});
