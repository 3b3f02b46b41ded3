import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { inFolder } from "../testing/temporary-folder.ts";
import { Connection } from "./connection.ts";
import { migrate } from "./migrate.ts";

/** A database of its own for one test. */
function withDatabase(work: (db: Connection) => Promise<void>): () => Promise<void> {
  return inFolder(async (folder) => {
    const db = new Connection(join(folder, "a.sqlite"), Date.now, () => performance.now());
    try {
      migrate(db);
      await work(db);
    } finally {
      db.close();
    }
  });
}

function put(db: Connection, key: string): void {
  db.transaction(() => db.write("insert into meta (key, value) values (?, '')", key));
}

function kept(db: Connection): unknown[] {
  return db.all("select key from meta where key like 't-%' order by key").map((row) => row["key"]);
}

test(
  "of transactions that share a commit, one that fails takes only itself back",
  withDatabase(async (db) => {
    await db.group(async () => {
      put(db, "t-1");
      assert.throws(() => put(db, "t-1"), /UNIQUE/);
      put(db, "t-2");
    });
    assert.deepEqual(kept(db), ["t-1", "t-2"]);
  }),
);

test(
  "when the shared transaction is lost in between, nothing of the group is stored and it says so",
  withDatabase(async (db) => {
    await assert.rejects(
      db.group(async () => {
        put(db, "t-1");
        // As the engine does by itself when the disk is full.
        db.exec("rollback");
        assert.throws(() => put(db, "t-2"), /shared transaction is gone/);
      }),
    );
    assert.deepEqual(kept(db), []);
    put(db, "t-3");
    assert.deepEqual(kept(db), ["t-3"]);
  }),
);
