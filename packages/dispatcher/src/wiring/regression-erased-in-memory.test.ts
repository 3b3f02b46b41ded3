import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErasurePosition, Store } from "@markethook/store";
import { startReceiver } from "./testing/receiver.ts";
import { postgresWorld, sqliteWorld, type World } from "./testing/world.ts";

const ACTOR = { kind: "api_key", id: "key_1", name: "n", requestId: null } as const;

/** Erases a user whose delivery waits in the memory of an instance, behind a request that is never answered. */
async function eraseBehindHanging(
  world: World,
  receiver: Awaited<ReturnType<typeof startReceiver>>,
  by: Store,
): Promise<void> {
  await world.webhook(receiver.url());
  const { dispatcher, seen } = await world.instance();
  await dispatcher.accept([world.purchase(), world.purchase(), world.purchase()]);
  // As many as a webhook's first requests may be.
  await receiver.arrived(2);
  const { queued } = dispatcher.statistics();
  assert.equal(queued, 1);
  await dispatcher.accept([world.purchase(4711)]);
  assert.equal(dispatcher.statistics().queued, queued + 1);
  const { erasure } = by.actingAs(ACTOR);
  let position: ErasurePosition | null = null;
  do {
    const step = await erasure.step(4711, position);
    if (step.again) await seen.seen("settled", 1);
    position = step.next;
  } while (position !== null);
  const cancelled = (await world.deliveries()).filter(({ state }) => state === "cancelled");
  assert.deepEqual(
    cancelled.map(({ reason, userId }) => [reason, userId]),
    [["user_erased", null]],
  );
  assert.equal(dispatcher.statistics().queued, queued, "the others still wait for their turn");
}

test("an erasure does not wait for what a hanging receiver keeps in memory", async (t) => {
  const world = await sqliteWorld(t);
  await eraseBehindHanging(world, await startReceiver(t, null), world.store);
});

test("nor for what another instance on PostgreSQL has in its memory", async (t) => {
  const world = await postgresWorld(t);
  await eraseBehindHanging(world, await startReceiver(t, null), await world.another());
});
