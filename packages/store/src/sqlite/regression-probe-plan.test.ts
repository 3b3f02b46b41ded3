import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { claimProbes } from "./claim.ts";
import { Connection } from "./connection.ts";
import { startInstance } from "./instances.ts";
import { migrate } from "./migrate.ts";

test("webhooks to probe are found by the time of the probe, not among all that are disabled", () => {
  const db = new Connection(":memory:", Date.now, () => performance.now());
  migrate(db);
  db.loadCounters();
  const { instanceNo } = startInstance(db, "one", "1", null);
  const all = mock.method(db, "all");
  claimProbes(db, instanceNo, 50, 60_000);
  const asked = all.mock.calls.find(({ arguments: [sql] }) => sql.includes("from webhooks"));
  assert.ok(asked);
  all.mock.restore();
  const [sql, ...values] = asked.arguments;
  const plan = db.all(`explain query plan ${sql}`, ...values).map((step) => step["detail"]);
  assert.deepEqual(plan, ["SEARCH webhooks USING INDEX webhooks_to_probe (probe_at<?)"]);
  db.close();
});
