/**
 * A change of owner of 1,000 resources with 20 webhooks each held the only writer for as long as it took, up to a third of
 * a second. An import of as many, and one of 1,000 webhooks, held it for up to two seconds. Every report waited for it.
 */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { setImmediate } from "node:timers/promises";
import { importedWebhook } from "../conformance/imports.ts";
import { event } from "../conformance/reports.ts";
import { DAY } from "../conformance/settlements.ts";
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

test("a step that prunes deletes few rows, however many are old, because reports wait for it", async (t) => {
  const w = new World(await openSqliteHarness());
  t.after(() => w.harness.close());
  await w.harness.tamper(
    `with recursive n (i) as (select 1 union all select i + 1 from n where i < 1000)
     insert into ended (seq, event_seq, webhook_no, kind, order_key, state, attempts, origin, created_at, ended_at)
       select i * 128, i, 1, 1, i, 0, 1, 0, 1, 1 from n`,
  );
  const pruned: number[] = [];
  do pruned.push(await w.store.maintenance.prune(DAY, DAY, 2000));
  while (pruned.at(-1) !== 0);
  assert.deepEqual(pruned, [200, 200, 200, 200, 200, 0]);
});

test("one call passes over tens of thousands of old events that a paused webhook needs", async (t) => {
  const w = new World(await openSqliteHarness());
  t.after(() => w.harness.close());
  await w.harness.tamper(
    `with recursive n (i) as (select 1 union all select i + 1 from n where i <= 20000)
     insert into events (seq, tag, resource_id, kind, time, payload, accepted_at, touched_at)
       select i, 'tag', 'r', 1, 1, '{}', 1, 1 from n`,
  );
  await w.harness.tamper(
    `insert into pending (seq, event_seq, webhook_no, kind, due_at, created_at)
       select seq * 128, seq, 1, 1, 1, 1 from events where seq <= 20000`,
  );
  assert.equal(await w.store.maintenance.prune(DAY, DAY, 2000), 1);
});
