import assert from "node:assert/strict";
import { test } from "node:test";
import { isMarkethookError, MarkethookError } from "@markethook/protocol";
import { createAccept } from "./accept-events.ts";
import { type AcceptedSome, OwnerChangeNeeded } from "./hot/accept.ts";
import { withNothingStored } from "./nothing-stored.ts";
import type { ResourceStore } from "./port/resources.ts";
import { createEncryption } from "./encryption.ts";

const KEY = Buffer.alloc(32, 1);
const ITEM = {
  resourceId: "castle",
  name: "product.user.purchase",
  time: 1,
  tag: "aaaaaaaaaa",
  userId: 1,
} as const;
const RESOURCE = { id: "castle", title: "Castle", subtitle: "", ownerId: "other" };
const FULL = withNothingStored(new MarkethookError("storage_full"));
const ONE: AcceptedSome = {
  taken: 1,
  results: [],
  preLeased: [],
  plainWebhooks: [],
  notPreLeased: 0,
  claimable: 0,
  blocked: [],
};

/** Accepts two items with transactions that end like this, and tells what the error promises. */
async function promiseAfter(...steps: unknown[]): Promise<unknown> {
  const accept = createAccept(
    async () => {
      const step = steps.shift();
      if (step !== ONE) throw step;
      return await Promise.resolve(ONE);
    },
    { put: async () => [] } as unknown as ResourceStore, // Nothing else is used.
    { dedupeSecret: KEY, encryption: createEncryption([KEY]) },
  );
  try {
    await accept([ITEM, ITEM], null);
  } catch (error) {
    if (isMarkethookError(error)) return error.detail.nothingStored;
    throw error;
  }
  assert.fail("it was accepted");
}

test("an error promises that nothing was stored only while no transaction of the batch was committed", async () => {
  assert.equal(await promiseAfter(FULL), true);
  assert.equal(await promiseAfter(ONE, FULL), undefined);
  assert.equal(await promiseAfter(new OwnerChangeNeeded(RESOURCE), FULL), undefined);
});
