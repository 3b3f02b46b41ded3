import assert from "node:assert/strict";
import { test } from "node:test";
import type { PreparedItem } from "../hot/accept-transaction.ts";
import { Connection } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { createOperations } from "./operations.ts";
import { sendItem } from "./rows-between-threads.ts";

test("an accept whose transaction a fault of the disk has ended writes nothing more", async (t) => {
  const db = new Connection(":memory:", Date.now, () => performance.now());
  t.after(() => db.close());
  migrate(db);
  db.loadCounters();
  const operations = createOperations(db, { baseUrl: "https://market.example" });
  db.exec(`
    insert into resources (id, owner_id, title, subtitle, created_at, updated_at) values ('r', 'o', 'T', '', 1, 1);
    insert into webhooks (id, resource_id, owner_id, url, format, description, state, secret, secret_is_text, created_at, updated_at)
    values ('wh_1', 'r', 'o', '', 'json', '', 'active', '', 0, 1, 1)`);
  const { instanceNo } = operations.startInstance("one", "1.0.0", null);
  const item: PreparedItem = {
    resourceId: "r",
    name: "product.user.firstDownload",
    time: 1,
    tag: "abcdefghij",
    userId: 7,
    idempotency: { key: "k", bodyHash: "b" },
    dedupeKey: "d",
  };
  const accept = async () =>
    await operations.accept([sendItem(item)], {
      instanceNo,
      bytes: 1000,
      share: 10,
      full: [],
      read: [],
    });
  const get = db.get.bind(db);
  db.get = (sql, ...values) => {
    if (!sql.includes("from leased")) return get(sql, ...values);
    // SQLite ends the whole transaction when it cannot read.
    db.exec("rollback");
    throw Object.assign(new Error("disk I/O error"), { code: "ERR_SQLITE_ERROR", errcode: 10 });
  };
  await assert.rejects(accept(), /disk I\/O error/);
  db.get = get;
  assert.deepEqual(db.all("select dedupe_key from first_downloads"), []);

  await accept();
  assert.equal(db.all("select seq from events").length, 1);
  assert.equal(db.all("select dedupe_key from first_downloads").length, 1);
});
