import assert from "node:assert/strict";
import { test } from "node:test";
import { Connection } from "./connection.ts";
import { startInstance } from "./instances.ts";
import { migrate } from "./migrate.ts";

/** More than a call takes as values on this thread. A large queue can hold more than it takes on the writer's. */
const LEASED = 130_000;

test("a process that was killed with a large queue starts again", () => {
  const db = new Connection(":memory:", Date.now, () => performance.now());
  migrate(db);
  db.loadCounters();
  const { instanceNo } = startInstance(db, "one", "1", null);
  db.run(
    `insert into leased (seq, event_seq, webhook_no, kind, order_key, instance_no, lease, created_at)
     with recursive c (i) as (select 1 union all select i + 1 from c where i < ?)
     select i * 128, i, 1, 1, i, ?, 1, 1 from c`,
    LEASED,
    instanceNo,
  );
  const { givenBack } = startInstance(db, "two", "1", null);
  assert.equal(givenBack.rescued, LEASED);
  db.close();
});
