import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Connection } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { Keys } from "./idempotency-keys.ts";
import { prune } from "./prune.ts";

const DAY = 24 * 3600 * 1000;
const RETENTION = 30 * DAY;
const TODAY = 1_800_000_000_000;

/** A database with a delivery that ended yesterday and one of long ago, whose clock has stored this time. */
function database(t: { after(work: () => void): void }, storedAt: number) {
  const folder = mkdtempSync(join(tmpdir(), "markethook-clock-"));
  const clocks = { wall: TODAY, monotonic: 0 };
  const connections: Connection[] = [];
  t.after(() => {
    for (const one of connections) one.close();
    rmSync(folder, { recursive: true });
  });
  const open = (): Connection => {
    const db = new Connection(
      join(folder, "db"),
      () => clocks.wall,
      () => clocks.monotonic,
    );
    connections.push(db);
    migrate(db);
    db.loadCounters();
    return db;
  };
  const first = open();
  for (const [seq, endedAt] of [
    [1, TODAY - 40 * DAY],
    [2, TODAY - DAY],
  ] as const) {
    first.run(
      `insert into ended (seq, event_seq, webhook_no, kind, state, attempts, origin, created_at, ended_at)
       values (?, ?, 1, 1, 0, 1, 0, ?, ?)`,
      seq * 128,
      seq,
      endedAt,
      endedAt,
    );
  }
  first.run("update counters set value = ? where name = 'clock'", storedAt);
  const left = (db: Connection): number[] => {
    prune(db, new Keys(db), { ended: 0, events: 0, notices: 0 }, RETENTION, DAY, 100);
    return db.all("select seq from ended order by seq").map(({ seq }) => Number(seq) / 128);
  };
  return { open, clocks, left };
}

test("a clock that was once ahead prunes nothing before its time, and stays ahead", (t) => {
  const { open, left } = database(t, TODAY + 60 * DAY);
  const db = open();
  assert.deepEqual(left(db), [2], "what is old by the machine's clock goes");
  assert.equal(db.now(), TODAY + 60 * DAY);
});

test("a machine that starts in the wrong year prunes by the stored time, and by its own once that is right", (t) => {
  const { open, clocks, left } = database(t, TODAY - 20 * DAY);
  clocks.wall = TODAY + 400 * DAY;
  const db = open();
  assert.deepEqual(left(db), [1, 2]);
  // The clock is set; the monotonic one goes on.
  clocks.wall = TODAY + 3600 * 1000;
  clocks.monotonic = 3600 * 1000;
  assert.deepEqual(left(db), [2]);
  assert.equal(db.now() - clocks.wall, 400 * DAY);
});

test("after a long stop, pruning goes by the machine's clock within an hour", (t) => {
  const { open, clocks, left } = database(t, TODAY - 20 * DAY);
  const db = open();
  assert.equal(db.now(), TODAY);
  assert.deepEqual(left(db), [1, 2]);
  clocks.wall += 3600 * 1000;
  clocks.monotonic += 3600 * 1000;
  assert.deepEqual(left(db), [2]);
});

test("the documented commands set the clock back on the tables of today", (t) => {
  const { open } = database(t, TODAY + 60 * DAY);
  const page = readFileSync(
    join(import.meta.dirname, "../../../../docs/how-to/set-back-the-clock.md"),
    "utf8",
  );
  const statements = [...page.matchAll(/db\.prepare\("(.+?)"\)\.run\((.+?)\)/g)];
  assert.equal(statements.length, 6);
  const db = open();
  // A webhook that failed, and keys that came, while the clock was ahead.
  db.run(
    "insert into webhook_health (webhook_no, failing_since, failed_attempts, several_events) values (1, ?, 1, 0)",
    db.now(),
  );
  db.run("update key_generations set began_at = ?", db.now());
  for (const [, sql = "", values = ""] of statements) {
    db.run(sql, ...(values.includes("clock") ? [TODAY, "clock"] : [TODAY]));
  }
  assert.equal(db.get("select failing_since from webhook_health")?.["failing_since"], TODAY);
  assert.equal(db.get("select began_at from key_generations")?.["began_at"], TODAY);
  assert.equal(db.get("select value from counters where name = 'clock'")?.["value"], TODAY);
});
