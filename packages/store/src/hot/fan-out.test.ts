import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventRow, FanOutRow } from "./accept-transaction.ts";
import { busyPairs, fanOut } from "./fan-out.ts";

const BUDGET = { instanceNo: 1, bytes: 1_000_000, share: 1000, full: [], read: [] };

function event(seq: number, userId: number | null): EventRow {
  return {
    seq,
    tag: "t",
    resourceId: "r",
    kind: 0,
    time: 1,
    userId,
    payload: "{}",
    details: null,
  };
}

function webhook(no: number): FanOutRow {
  return { no, resourceId: "r", ownerId: "o", mask: null, active: true, plain: null };
}

test("webhooks and buyers of whatever size are told apart, and the second event of each waits behind the first", () => {
  const buyers = [null, 0, 1, 2 ** 31, 2 ** 32 - 2, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER];
  const webhooks = [1, 2, 2 ** 20 - 1, 2 ** 20, 2 ** 31].map(webhook);
  const events = [...buyers, ...buyers].map((userId, index) => event(index + 1, userId));
  const plan = fanOut(events, new Map([["r", webhooks]]), new Map([["r", "o"]]), BUDGET, new Set());
  const pairs = buyers.length * webhooks.length;
  assert.equal(plan.leased.length, pairs);
  assert.equal(plan.pending.filter(({ blocked }) => blocked).length, pairs);
  assert.ok(plan.leased.every(({ eventSeq }) => eventSeq <= buyers.length));
});

test("a delivery behind an open one uses no room of the lease budget, and is none to claim", async () => {
  const busy = await busyPairs({ busy: async (pairs) => [...pairs] }, [
    { webhookNo: 1, orderKey: 7 },
  ]);
  const plan = (share: number) => {
    const { leased, pending, claimable } = fanOut(
      [event(1, 7), event(2, 8)],
      new Map([["r", [webhook(1)]]]),
      new Map([["r", "o"]]),
      { ...BUDGET, share },
      busy,
    );
    const waiting = pending.map(({ eventSeq, blocked }) => ({ eventSeq, blocked }));
    return { leased: leased.map(({ eventSeq }) => eventSeq), waiting, claimable };
  };
  const behind = { eventSeq: 1, blocked: true };
  assert.deepEqual(plan(1), { leased: [2], waiting: [behind], claimable: 0 });
  const free = { eventSeq: 2, blocked: false };
  assert.deepEqual(plan(0), { leased: [], waiting: [behind, free], claimable: 1 });
});
