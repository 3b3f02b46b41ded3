import assert from "node:assert/strict";
import { existsSync, mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { withCode } from "../conformance/checks.ts";
import { migrate } from "../postgres/migrate.ts";
import { openSqlite } from "../sqlite/open.ts";
import { TEST_OPTIONS } from "../sqlite/open-harness.ts";
import { everything, fill, type Pair, pairTest, TO } from "../testing/move-pair.ts";
import { askInOneSession, until, untilSomeWait } from "../testing/postgres-server.ts";
import { startScript } from "../testing/script-process.ts";
import { moveToPostgres } from "./move-to-postgres.ts";

const LOCK = 77;
/** Of a test: the move stands still there until the lock is free. */
const WAITS = `perform pg_advisory_xact_lock(${LOCK})`;
const ENDS = "perform pg_terminate_backend(pg_backend_pid())";
const FAILS = "raise exception 'refused by a test'";

/** In the middle of the copying, and in the commit. */
async function plant({ url, postgres }: Pair, where: "copy" | "commit", what: string) {
  await migrate(url);
  await postgres(`create function planted() returns trigger language plpgsql as
    $$ begin ${what}; return null; end $$`);
  await postgres(
    where === "copy"
      ? "create trigger planted after insert on resources for each statement execute function planted()"
      : `create constraint trigger planted after insert on resources deferrable initially deferred
         for each row execute function planted()`,
  );
  return async () => void (await postgres("drop function planted cascade"));
}

async function mustBeUntouched(pair: Pair, before: Awaited<ReturnType<typeof everything>>) {
  const { sqlite, postgres } = await everything(pair);
  assert.deepEqual(sqlite, before.sqlite);
  assert.deepEqual(postgres, before.postgres);
  assert.equal(isMarked(pair), false);
}

const isMarked = ({ folder }: Pair): boolean => existsSync(join(folder, "moved.json"));

async function mustMoveNow(pair: Pair): Promise<void> {
  const { moved } = await moveToPostgres(pair.options);
  assert.equal(moved, true);
  const { sqlite, postgres } = await everything(pair);
  assert.deepEqual(postgres, sqlite);
}

const others =
  "(select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend')";

/** Runs the move in a process of its own, and kills it where it stands still. */
async function killStanding({ url, folder }: Pair): Promise<void> {
  const holder = askInOneSession(url);
  await holder(`select pg_advisory_lock(${LOCK})`);
  const script = new URL("../testing/move-once.ts", import.meta.url);
  const running = startScript(script, folder, url, TO);
  await holder(untilSomeWait());
  await running.kill();
  await holder(`select pg_advisory_unlock(${LOCK})`);
  // The session of the killed process has ended, with or without its commit.
  await holder(until(`${others} = 0`));
}

pairTest(
  "a move that is killed in the middle leaves both sides as they were, and is simply run again",
  async (pair) => {
    await fill(pair.folder);
    const remove = await plant(pair, "copy", WAITS);
    const before = await everything(pair);
    await killStanding(pair);
    await mustBeUntouched(pair, before);
    await (await openSqlite({ ...TEST_OPTIONS, folder: pair.folder })).close();
    await remove();
    await mustMoveNow(pair);
  },
);

pairTest(
  "a move that is killed while it commits leaves a folder that does not start, and the next run finds out that all is there",
  async (pair) => {
    await fill(pair.folder);
    await plant(pair, "commit", WAITS);
    await killStanding(pair);
    const { sqlite, postgres } = await everything(pair);
    assert.deepEqual(postgres, sqlite);
    await assert.rejects(
      openSqlite({ ...TEST_OPTIONS, folder: pair.folder }),
      withCode("moved_to_postgresql"),
    );
    assert.deepEqual(await moveToPostgres(pair.options), { moved: false, rows: {} });
  },
);

pairTest("a connection that is lost in the middle leaves both sides as they were", async (pair) => {
  await fill(pair.folder);
  const remove = await plant(pair, "copy", ENDS);
  const before = await everything(pair);
  await assert.rejects(moveToPostgres(pair.options), withCode("store_unavailable"));
  await mustBeUntouched(pair, before);
  await remove();
  await mustMoveNow(pair);
});

pairTest(
  "a connection that is lost in the commit leaves a folder that does not start until the next run has found out",
  async (pair) => {
    await fill(pair.folder);
    const remove = await plant(pair, "commit", ENDS);
    await assert.rejects(moveToPostgres(pair.options), withCode("outcome_unknown"));
    assert.equal(isMarked(pair), true);
    await remove();
    await mustMoveNow(pair);
  },
);

pairTest("a commit that PostgreSQL refuses leaves both sides as they were", async (pair) => {
  await fill(pair.folder);
  const remove = await plant(pair, "commit", FAILS);
  const before = await everything(pair);
  await assert.rejects(moveToPostgres(pair.options), (error: Error) => {
    assert.match(error.message, /refused by a test/);
    return withCode("store_unavailable")(error);
  });
  await mustBeUntouched(pair, before);
  await remove();
  await mustMoveNow(pair);
});

pairTest(
  "a folder that takes no mark is told before the commit, and both sides stay as they were",
  async (pair) => {
    await fill(pair.folder);
    await migrate(pair.url);
    const before = await everything(pair);
    const inTheWay = join(pair.folder, "moved.json.new");
    mkdirSync(inTheWay);
    await assert.rejects(moveToPostgres(pair.options), withCode("data_dir_unusable"));
    await mustBeUntouched(pair, before);
    rmdirSync(inTheWay);
    await mustMoveNow(pair);
  },
);
