import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { shortHash } from "../hot/key-hash-and-generation.ts";
import { inFolder } from "../testing/temporary-folder.ts";
import { Connection } from "./connection.ts";
import { Keys } from "./idempotency-keys.ts";
import { migrate } from "./migrate.ts";

const KEPT = 50;
const KEYS = 1000;
const AT_ONCE = 7;

const keyRow = (no: number) => ({
  key: shortHash(`key ${no}`),
  bodyHash: shortHash(`body ${no}`),
  eventSeq: no,
  tag: "abcdefghij",
});

/** @param reads is called with the number of rows of each reading. */
function open(
  folder: string,
  kept = KEPT,
  reads = (_rows: number): void => {},
): { db: Connection; keys: Keys } {
  const db = new Connection(join(folder, "db"), Date.now, () => performance.now());
  migrate(db);
  const lists = db.lists.bind(db);
  db.lists = (sql, ...values) => {
    const rows = lists(sql, ...values);
    reads(rows.length);
    return rows;
  };
  return { db, keys: new Keys(db, kept) };
}

function accept(keys: Keys, from: number): void {
  const rows = Array.from({ length: AT_ONCE }, (_, index) => keyRow(from + index));
  assert.deepEqual(keys.claim(rows), []);
  keys.move(AT_ONCE);
}

const count = (db: Connection, table: string): number =>
  Number(db.get(`select count(*) as n from ${table}`)?.["n"]);

function assertAllKnown(keys: Keys, upTo: number): void {
  const rows = Array.from({ length: upTo }, (_, no) => keyRow(no));
  assert.deepEqual(keys.claim(rows), rows);
}

test(
  "keys are known on their way into a generation and after it, and few are on their way",
  inFolder((folder) => {
    const { db, keys } = open(folder);
    for (let no = 0; no < KEYS; no += AT_ONCE) {
      db.transaction(() => accept(keys, no));
      assertAllKnown(keys, no + AT_ONCE);
      assert.ok(count(db, "new_keys") <= 6 * KEPT, `${count(db, "new_keys")} after ${no}`);
    }
    assert.ok(count(db, "idempotency_keys") > KEYS / 2);
    db.close();
  }),
);

test(
  "a transaction that is rolled back takes its keys and its moves with it",
  inFolder((folder) => {
    const { db, keys } = open(folder);
    for (let no = 0; no < KEYS; no += AT_ONCE) {
      db.begin();
      accept(keys, no);
      db.rollback();
      db.transaction(() => accept(keys, no));
    }
    assertAllKnown(keys, KEYS);
    db.close();
  }),
);

test(
  "in a group, a part that is rolled back takes only its own keys with it, and the group's rollback all",
  inFolder(async (folder) => {
    const { db, keys } = open(folder);
    for (let no = 0; no < KEYS; no += 2 * AT_ONCE) {
      const bothParts = (thenFail: boolean) => async () => {
        db.transaction(() => accept(keys, no));
        db.begin();
        accept(keys, no + AT_ONCE);
        db.rollback();
        db.transaction(() => accept(keys, no + AT_ONCE));
        if (thenFail) throw new Error("the commit fails");
      };
      await assert.rejects(db.group(bothParts(true)), /commit fails/);
      await db.group(bothParts(false));
    }
    assertAllKnown(keys, KEYS);
    assert.ok(count(db, "idempotency_keys") > KEYS / 2);
    db.close();
  }),
);

test(
  "keys are known after an end in the middle of a round, and moved once",
  inFolder((folder) => {
    let { db, keys } = open(folder);
    let no = 0;
    for (; no < KEYS; no += AT_ONCE) {
      db.transaction(() => accept(keys, no));
      if (no % 5 > 0) continue;
      db.close();
      ({ db, keys } = open(folder));
      assertAllKnown(keys, no + AT_ONCE);
    }
    const moved = count(db, "idempotency_keys");
    assert.ok(moved > KEYS / 2 && moved <= no, String(moved));
    db.close();
  }),
);

test(
  "the next generation begins when all keys have moved, and keys of both are known",
  inFolder((folder) => {
    const { db, keys } = open(folder);
    const hour = 3600 * 1000;
    for (let no = 0; no < KEYS; no += AT_ONCE) {
      db.transaction(() => accept(keys, no));
      if (no % (10 * AT_ONCE) === 0) db.advance(hour);
      db.transaction(() => keys.prune(0, 6 * hour, KEPT));
    }
    assert.ok(count(db, "key_generations") > 5);
    assertAllKnown(keys, KEYS);
    db.close();
  }),
);

test(
  "all keys are known after a start, which never has many of their rows in memory",
  inFolder((folder) => {
    const kept = 2 * KEYS;
    const first = open(folder, kept);
    // Half of them have moved.
    first.db.transaction(() => {
      first.keys.claim(Array.from({ length: KEYS }, (_, no) => keyRow(no)));
      first.keys.prune(0, 0, 2 * KEYS);
      first.keys.claim(Array.from({ length: KEYS }, (_, no) => keyRow(KEYS + no)));
    });
    assert.deepEqual(
      [count(first.db, "idempotency_keys"), count(first.db, "new_keys")],
      [KEYS, KEYS],
    );
    first.db.close();

    let most = 0;
    const { db, keys } = open(folder, kept, (rows) => (most = Math.max(most, rows)));
    db.transaction(() => keys.move(KEYS));
    assertAllKnown(keys, 2 * KEYS);
    assert.ok(most > 1 && most < KEYS, `${most} rows at once`);
    db.close();
  }),
);
