/**
 * A change of owner of 1,000 resources with 20 webhooks each held the only writer for as long as it took, up to a third of
 * a second. An import of as many, and one of 1,000 webhooks, held it for up to two seconds. Every report waited for it.
 */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { setImmediate } from "node:timers/promises";
import { importedWebhook } from "../conformance/imports.ts";
import { event } from "../conformance/reports.ts";
import { World } from "../conformance/world.ts";
import { openSqliteHarness } from "./open-harness.ts";

const BULK = Array.from({ length: 100 }, (_, index) => `bulk-${index}`);
const KIND = { kind: "resource", title: "T", subtitle: "" } as const;
const owned = (ownerId: string) => BULK.map((id) => Object.assign({ id, ownerId }, KIND));

/** `store` is called with a resource that is there already. */
async function testTurns(
  t: TestContext,
  store: (w: World, resourceId: string) => Promise<unknown>,
): Promise<void> {
  const w = new World(await openSqliteHarness());
  t.after(() => w.harness.close());
  const { id, ownerId } = await w.resource();
  await w.store.resources.put(owned(ownerId));
  const stored: string[] = [];
  const bulk = store(w, id).then(() => stored.push("bulk"));
  // It has the writer now.
  await setImmediate();
  const report = w.accept([event(id, "purchase", w.user())]).then(() => stored.push("report"));
  await Promise.all([bulk, report]);
  assert.deepEqual(stored, ["report", "bulk"]);
}

test("a report that comes while many resources are stored is stored before the last of these", async (t) => {
  await testTurns(t, async (w) => await w.store.resources.put(owned("another")));
});

test("a report that comes while many resources are imported is stored before the last of these", async (t) => {
  await testTurns(t, async (w) => await w.import(owned("another")));
});

test("a report that comes while many webhooks are imported is stored before the last of these", async (t) => {
  await testTurns(t, async (w, resourceId) => {
    const records = BULK.map((importId) => importedWebhook(resourceId, { importId }));
    await w.import(records);
  });
});
