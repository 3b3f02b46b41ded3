import assert from "node:assert/strict";
import type { InstanceBeat, QueuedDelivery, RescueOutcome } from "../port/deliveries.ts";
import type { Store } from "../port/store.ts";
import { only } from "./checks.ts";
import type { World } from "./world.ts";

export const LEASE_MS = 8000;

/** The same delivery, under a lease of its own. */
export function mustBeLeasedAgain(again: QueuedDelivery, before: QueuedDelivery): void {
  assert.deepEqual(again, { ...before, lease: again.lease });
  assert.notEqual(again.lease, before.lease);
}

/** Its last heartbeat. */
export async function beatOf(store: Store, instanceNo: number): Promise<InstanceBeat> {
  return only((await store.instances.list()).filter((one) => one.instanceNo === instanceNo));
}

/** The process is gone and somebody else finds out. */
export async function crash(w: World, instanceNo: number): Promise<RescueOutcome> {
  await w.harness.advance(LEASE_MS + 1);
  return await w.store.deliveries.rescue([await beatOf(w.store, instanceNo)]);
}
