import assert from "node:assert/strict";
import { test } from "node:test";
import type { AcceptOutcome, OrderPair } from "@markethook/store";
import { createMemoryBudget } from "../queue/memory-ledger.ts";
import { createHandoff } from "./handoff.ts";

const QUEUE_ROOM = 10_000;

function setUp() {
  const room = createMemoryBudget(() => QUEUE_ROOM);
  const state = { instanceNo: 3 as number | null, readings: 0, wakes: 0 };
  const told: { took: unknown[]; blocked: OrderPair[] } = { took: [], blocked: [] };
  const handoff = createHandoff({
    leases: { take: () => state.instanceNo, took: (...took) => void told.took.push(took) },
    queue: { fullForFresh: [], caughtUp: () => Promise.resolve() },
    room,
    claims: {
      blocked: (pairs) => void told.blocked.push(...pairs),
      wake: () => void (state.wakes += 1),
    },
    cache: {
      begin() {
        state.readings += 1;
        return { readAt: 0, outdated: new Set<number>() };
      },
      end: () => void (state.readings -= 1),
      fresh: () => [],
    },
    share: 10,
  });
  return { handoff, room, state, told };
}

const outcome: AcceptOutcome = {
  results: [],
  preLeased: [],
  webhooks: [],
  notPreLeased: 0,
  claimable: 0,
  blocked: [],
};

test("however many commits fail, the next one may lease as much as the first", () => {
  const { handoff, room, state } = setUp();
  const first = handoff.budget();
  handoff.take(first, null);
  for (let failed = 0; failed < 20; failed += 1) handoff.take(handoff.budget(), null);
  assert.deepEqual(handoff.budget(), first);
  assert.equal(first?.bytes, QUEUE_ROOM / 2);
  assert.deepEqual([room.free(), state.readings], [QUEUE_ROOM / 2, 1], "only the last is open");
});

test("a commit under way leaves half of the rest to the next one, and gives it back", () => {
  const { handoff, room } = setUp();
  const open = [handoff.budget(), handoff.budget(), handoff.budget()];
  assert.deepEqual(
    open.map((budget) => budget?.bytes),
    [5000, 2500, 1250],
  );
  for (const budget of open) handoff.take(budget, outcome);
  assert.equal(room.free(), QUEUE_ROOM);
});

test("without an instance nothing is leased, and what was stored is claimed", () => {
  const { handoff, room, state, told } = setUp();
  state.instanceNo = null;
  const budget = handoff.budget();
  assert.equal(budget, null);
  const pair = { webhookNo: 1, orderKey: 7 };
  handoff.take(budget, { ...outcome, claimable: 2, blocked: [pair] });
  assert.deepEqual([room.free(), state.wakes], [QUEUE_ROOM, 1]);
  assert.deepEqual(told, { took: [], blocked: [pair] });
});
