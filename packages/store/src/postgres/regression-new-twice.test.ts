import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { World } from "../conformance/world.ts";
import { untilSomeWait } from "../testing/postgres-server.ts";
import { testWorld } from "./open-harness.ts";

const OWNED = { id: "new", ownerId: "second", title: "T", subtitle: "" };

/** Runs a call that brings a resource while another session brings it for the first time, with an event. */
async function bringTwice(t: TestContext, call: (w: World) => Promise<unknown>): Promise<World> {
  const w = await testWorld(t);
  const { harness } = w;
  await harness.tamper(`begin;
    insert into resources (id, owner_id, title, subtitle, created_at, updated_at) values ('new', 'first', 'T', '', 1, 1);
    insert into events (seq, tag, resource_id, kind, time, user_id, payload, accepted_at, touched_at)
    select mh_next(), 'aaaaaaaaaa', 'new', 1, 1, 5, '{}', mh_now(), mh_now()`);
  const called = call(w);
  await harness.tamper(untilSomeWait());
  await harness.tamper("commit");
  await called;
  return w;
}

async function mustBeSold(w: World): Promise<void> {
  assert.equal((await w.store.resources.find("new"))?.ownerId, "second");
  const seen = async (ownerId: string): Promise<number> =>
    (await w.store.events.list({ ownerId }, { beforeSeq: null, limit: 10 })).items.length;
  assert.deepEqual([await seen("first"), await seen("second")], [1, 0]);
  const notices = await w.store.notices.list(0, 10, null);
  assert.deepEqual(
    notices.map(({ kind, ownerId }) => `${kind} ${ownerId}`),
    ["owner_changed first", "owner_changed second"],
  );
}

test("a resource that two bring at once for two owners changes hands, and its event stays the first one's", async (t) => {
  const w = await bringTwice(t, async ({ store }) => {
    assert.deepEqual(await store.resources.put([OWNED]), ["updated"]);
  });
  await mustBeSold(w);
});

test("so does one that an import brings at once with another session", async (t) => {
  const w = await bringTwice(t, async ({ store }) => {
    const results = await store.imports.run([{ kind: "resource", ...OWNED }], { dryRun: false });
    assert.deepEqual(results, [{ kind: "updated" }]);
  });
  await mustBeSold(w);
});
