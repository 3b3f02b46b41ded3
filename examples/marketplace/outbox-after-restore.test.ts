import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

const here = import.meta.dirname;

test("after a restore the documented statement sets back what was sent since the backup, and nothing else", () => {
  const page = readFileSync(join(here, "../../docs/how-to/report-events.md"), "utf8");
  const [statement = ""] = /update outbox set state = 'waiting' .*;/.exec(page) ?? [];
  const db = new DatabaseSync(":memory:");
  db.exec(readFileSync(join(here, "outbox.sql"), "utf8"));
  const insert = db.prepare(
    "insert into outbox (idempotency_key, resource_id, event, state, written_at) values (?, 'r', '{}', ?, ?)",
  );
  insert.run("before", "sent", "2026-01-31 01:59:59");
  insert.run("since", "sent", "2026-01-31 02:00:00");
  insert.run("parked", "parked", "2026-01-31 03:00:00");
  db.exec(
    "insert into outbox (idempotency_key, resource_id, event, state) values ('now', 'r', '{}', 'sent')",
  );
  db.exec(statement);
  const waiting = "select idempotency_key as key from outbox where state = 'waiting' order by id";
  assert.deepEqual(
    db
      .prepare(waiting)
      .all()
      .map(({ key }) => key),
    ["since", "now"],
  );
  db.close();
});
