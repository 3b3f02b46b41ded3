import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
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
  "after a commit nothing keeps what a rollback would have needed, also in a process that has migrated",
  withDatabase(async (db) => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void; // The flag makes it.
    const known: WeakRef<object>[] = [];
    await db.group(async () => {
      for (const key of ["t-1", "t-2"]) {
        db.transaction(() => {
          const earlier = { key };
          known.push(new WeakRef(earlier));
          db.onRollback(() => assert.fail(earlier.key));
        });
      }
    });
    await setImmediate();
    collect();
    assert.deepEqual(
      known.map((one) => one.deref()),
      [undefined, undefined],
    );
  }),
);

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
