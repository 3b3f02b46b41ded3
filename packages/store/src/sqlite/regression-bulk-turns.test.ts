/**
 * A change of owner of 1,000 resources with 20 webhooks each held the only writer for as long as it took, up to a third of
 * a second. Every report waited for it.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { event } from "../conformance/reports.ts";
import { World } from "../conformance/world.ts";
import { openSqliteHarness } from "./open-harness.ts";

test("a report that comes while many resources are stored is stored before the last of these", async (t) => {
  const w = new World(await openSqliteHarness());
  t.after(() => w.harness.close());
  const { id, ownerId } = await w.resource();
  const put = async (owner: string): Promise<void> => {
    const ids = Array.from({ length: 200 }, (_, index) => `bulk-${index}`);
    const title = `Of ${owner}`;
    await w.store.resources.put(ids.map((one) => ({ id: one, ownerId: owner, title })));
  };
  await put(ownerId);
  const stored: string[] = [];
  const bulk = put("another").then(() => stored.push("bulk"));
  // It has the writer now.
  await setImmediate();
  const report = w.accept([event(id, "purchase", w.user())]).then(() => stored.push("report"));
  await Promise.all([bulk, report]);
  assert.deepEqual(stored, ["report", "bulk"]);
});
