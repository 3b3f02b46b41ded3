import assert from "node:assert/strict";
import { test } from "node:test";
import { erase } from "../conformance/erasure.ts";
import { event } from "../conformance/reports.ts";
import { EVERY_OWNER_LOCK, ownerLock } from "../hot/order-lock.ts";
import { untilSomeWait } from "../testing/postgres-server.ts";
import { testWorld } from "./open-harness.ts";

test("an erasure waits for a report of the user that has its number and is not committed yet", async (t) => {
  const w = await testWorld(t);
  const { harness } = w;
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
  assert.equal((await erased).events, 1);
  const [row] = await harness.rows("events");
  assert.equal(row?.["user_id"], null);
});

test("behind a report that stands still, an erasure holds up no report with another lock", async (t) => {
  const w = await testWorld(t);
  const { harness } = w;
  const [first, last] = [EVERY_OWNER_LOCK.at(0), EVERY_OWNER_LOCK.at(-1)];
  const id = idWith(first);
  await w.store.resources.put([{ id, ownerId: "o", title: "T", subtitle: "" }]);
  const user = w.user();
  await w.accept([event(id, "purchase", user)]);
  await harness.tamper(`begin; select pg_advisory_xact_lock_shared(${last})`);

  const erased = erase(w, user);
  await harness.tamper(untilSomeWait());
  const accepted = await w.accept([event(id, "purchase", w.user())]);
  assert.equal(accepted.length, 1);
  await harness.tamper("commit");
  assert.equal((await erased).events, 1);
});

function idWith(lock: number | undefined): string {
  for (let n = 0; ; n += 1) if (ownerLock(`r${n}`) === lock) return `r${n}`;
}
