import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY } from "../conformance/settlements.ts";
import { testWorld } from "./open-harness.ts";

/** Two instances waited for each other's rows, and an erasure and a pruning ended each other by deadlocks. */
test("pruning passes over rows that somebody else works on, and deletes them later", async (t) => {
  const w = await testWorld(t);
  const { harness } = w;
  const { shop, instanceNo } = await w.shopAndInstance();
  await w.deliver(instanceNo, await w.lease(instanceNo, w.purchases(shop.id, 3)));
  await harness.advance(3 * DAY);
  const [first, last] = await harness.rows("events");

  await harness.tamper(`begin; select 1 from events where seq = ${String(first?.["seq"])} for update;
    select 1 from ended where event_seq = ${String(last?.["seq"])} for update`);
  await w.prune(DAY, DAY);
  const left = async (table: "events" | "ended", name: string) =>
    (await harness.rows(table)).map((row) => row[name]);
  assert.deepEqual(await left("events", "seq"), [first?.["seq"], last?.["seq"]]);
  assert.deepEqual(await left("ended", "event_seq"), [last?.["seq"]]);

  await harness.tamper("commit");
  await w.prune(DAY, DAY);
  assert.deepEqual([await harness.rows("events"), await harness.rows("ended")], [[], []]);
});
