import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { shortHash } from "../hot/short-hash.ts";
import { inFolder } from "../testing/temporary-folder.ts";
import { Connection } from "./connection.ts";
import { claimKeys } from "./keys.ts";
import { migrate } from "./migrate.ts";
import { makeRoom, openNewKeys } from "./new-keys.ts";

const KEPT = 50;
const KEYS = 1000;
const AT_ONCE = 7;

const keyRow = (no: number) => ({
  key: shortHash(`key ${no}`),
  bodyHash: shortHash(`body ${no}`),
  eventSeq: no,
  tag: "abcdefghij",
});

function open(folder: string): Connection {
  const db = new Connection(join(folder, "db"), Date.now, () => performance.now());
  migrate(db);
  openNewKeys(db);
  return db;
}

function accept(db: Connection, from: number): void {
  const rows = Array.from({ length: AT_ONCE }, (_, index) => keyRow(from + index));
  assert.deepEqual(claimKeys(db, rows), []);
  makeRoom(db, 0, AT_ONCE, KEPT);
}

const count = (db: Connection, table: string): number =>
  Number(db.get(`select count(*) as n from ${table}`)?.["n"]);

function assertAllKnown(db: Connection, upTo: number): void {
  const rows = Array.from({ length: upTo }, (_, no) => keyRow(no));
  assert.deepEqual(claimKeys(db, rows), rows);
}

test(
  "keys are known on their way into a generation and after it, and few are on their way",
  inFolder((folder) => {
    const db = open(folder);
    for (let no = 0; no < KEYS; no += AT_ONCE) {
      db.transaction(() => accept(db, no));
      assertAllKnown(db, no + AT_ONCE);
      assert.ok(count(db, "new_keys") <= 6 * KEPT, `${count(db, "new_keys")} after ${no}`);
      assert.ok(count(db, "new_keys_by_key") <= 2 * KEPT);
    }
    assert.ok(count(db, "idempotency_keys") > KEYS / 2);
    db.close();
  }),
);

test(
  "a transaction that is taken back takes its keys and its moves with it",
  inFolder((folder) => {
    const db = open(folder);
    for (let no = 0; no < KEYS; no += AT_ONCE) {
      db.begin();
      accept(db, no);
      db.rollback();
      db.transaction(() => accept(db, no));
    }
    assertAllKnown(db, KEYS);
    db.close();
  }),
);

test(
  "keys are known after an end in the middle of a round, and moved once",
  inFolder((folder) => {
    let db = open(folder);
    let no = 0;
    for (; no < KEYS; no += AT_ONCE) {
      db.transaction(() => accept(db, no));
      if (no % 5 > 0) continue;
      db.close();
      db = open(folder);
      assertAllKnown(db, no + AT_ONCE);
    }
    const moved = count(db, "idempotency_keys");
    assert.ok(moved > KEYS / 2 && moved <= no, String(moved));
    db.close();
  }),
);
