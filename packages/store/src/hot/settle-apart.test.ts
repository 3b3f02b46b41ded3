import assert from "node:assert/strict";
import { test } from "node:test";
import type { Settlement } from "../port/deliveries.ts";
import { settleApart } from "./settle-apart.ts";

function settlements(count: number): Settlement[] {
  return Array.from({ length: count }, (_, seq) => ({
    seq,
    lease: 1,
    webhookNo: 1,
    eventSeq: seq,
    eventName: "product.user.purchase",
    attempt: null,
    next: { kind: "release" },
  }));
}

function database(bad: readonly number[], error: Error = new RangeError("duplicate key")) {
  const stored: number[] = [];
  let commits = 0;
  return {
    stored,
    commits: () => commits,
    async settle(some: readonly Settlement[]) {
      commits += 1;
      if (some.some(({ seq }) => bad.includes(seq))) throw error;
      stored.push(...some.map(({ seq }) => seq));
      return {
        refused: some.map(({ seq }) => seq).filter((seq) => seq % 100 === 7),
        changedWebhooks: [],
      };
    },
  };
}

test("bad settlements are found by halving, and all others of the batch are stored", async () => {
  const { settle, stored, commits } = database([123, 400]);
  const outcome = await settleApart(settlements(500), settle);
  assert.deepEqual(outcome.failed, [
    { seq: 123, why: "duplicate key" },
    { seq: 400, why: "duplicate key" },
  ]);
  assert.deepEqual([new Set(stored).size, stored.length], [498, 498]);
  assert.deepEqual(outcome.refused, [7, 107, 207, 307, 407]);
  assert.ok(commits() <= 40, `${commits()} commits`);
});

test("a batch that fails for another reason is not taken apart", async () => {
  const { settle, commits } = database([1], new Error("connection lost"));
  await assert.rejects(settleApart(settlements(500), settle), /connection lost/);
  assert.equal(commits(), 1);
});

test("a batch without a bad one is one commit", async () => {
  const { settle, commits } = database([]);
  assert.deepEqual((await settleApart(settlements(500), settle)).failed, []);
  assert.equal(commits(), 1);
});
