import assert from "node:assert/strict";
import { test } from "node:test";
import { event } from "../conformance/reports.ts";
import { testWorld } from "./open-harness.ts";

const LIMIT = 2;

test("a clock that was set back is found also by a start after a kill, behind deliveries that were made before the kill", async (t) => {
  const w = await testWorld(t);
  const { harness } = w;
  const shop = await w.shop();
  const accept = async (count: number) =>
    await w.accept(Array.from({ length: count }, () => event(shop.id, "purchase", w.user())));
  await accept(3);
  await w.store.maintenance.followClock(LIMIT);
  await harness.advance(-3_600_000);
  await accept(2 * LIMIT + 1);
  // Killed before it looked again; the next process starts five minutes later.
  const { maintenance } = await harness.reopen();
  await harness.advance(300_000);
  assert.equal((await maintenance.followClock(LIMIT)).moved, 3);
});
