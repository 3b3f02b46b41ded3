import assert from "node:assert/strict";
import { test } from "node:test";
import { event, World } from "../conformance/world.ts";
import type { ErasurePosition } from "../port/erasure.ts";
import { untilSomeWait } from "../testing/postgres-server.ts";
import { openPostgresHarness } from "./open-harness.ts";

const ACTOR = { kind: "api_key", id: "key_x", name: "test", requestId: null } as const;

test("an erasure waits for a report of the user that has its number and is not committed yet", async (t) => {
  const harness = await openPostgresHarness();
  t.after(async () => await harness.close());
  const w = new World(harness);
  const { id } = await w.shop();
  const user = w.user();
  // The report gets its number, and waits before its row is written.
  await harness.tamper("begin; lock table events in share mode");
  const reported = w.accept([event(id, "purchase", user)]);
  await harness.tamper(untilSomeWait());

  const erased = erase(w, user);
  await harness.tamper(untilSomeWait(2));
  await harness.tamper("commit");
  await reported;
  assert.equal(await erased, 1);
  const [row] = await harness.rows("events");
  assert.equal(row?.["user_id"], null);
});

/** Returns how many events were erased. */
async function erase(w: World, user: number): Promise<number> {
  const { erasure } = w.store.actingAs(ACTOR);
  let events = 0;
  let position: ErasurePosition | null = null;
  for (;;) {
    const step = await erasure.step(user, position);
    events += step.events;
    position = step.next;
    if (position === null) return events;
  }
}
