import assert from "node:assert/strict";
import { test } from "node:test";
import { isNarrowed, matches, readBuyer, readFilter } from "./log-filter.ts";

test("what stands in the address is taken only where it can be a filter", () => {
  assert.deepEqual(readFilter({ state: "dead", status: 500, search: " evt_1 ", from: 1.5, x: 1 }), {
    state: "dead",
    status: 500,
    search: "evt_1",
  });
  assert.deepEqual(readFilter({ state: "toString", status: "500", search: "  ", to: null }), {});
  assert.deepEqual(readFilter({ search: 4711, userId: 7 }), { search: "4711", userId: 7 });
  // The service counts characters, and would refuse each of these.
  for (const search of ["x", "🎉"]) assert.deepEqual(readFilter({ search }), {});
  assert.deepEqual(readFilter({ from: 99_999_999_999_999, to: 253_402_300_800 }), {});
  assert.deepEqual(readBuyer({ userId: -5, status: 500 }), {});
  assert.deepEqual(readBuyer({ userId: 5, status: 500 }), { userId: 5 });
  assert.deepEqual(readFilter({ status: 999, statusClass: 6, userId: -5, from: -1 }), {});
});

test("replies are filtered by their class, and deliveries by their resource", () => {
  const filter = readFilter({ statusClass: 5, resourceId: "castle" });
  assert.deepEqual(filter, { statusClass: 5, resourceId: "castle" });
  const at = (lastStatus: number | null, resourceId: string) =>
    matches({ lastStatus, resourceId, createdAt: "2026-11-25T14:03:00.000Z" } as never, filter);
  assert.deepEqual(
    [at(503, "castle"), at(404, "castle"), at(null, "castle"), at(503, "farm")],
    [true, false, false, false],
  );
});

test("a log of one webhook counts as narrowed only by what was chosen besides", () => {
  assert.equal(isNarrowed({ webhookId: "wh_1" }), false);
  assert.equal(isNarrowed({ webhookId: "wh_1", event: "ping" }), true);
});

test("what arrives is in a searched log as far as its row tells", () => {
  const delivery = {
    id: "dlv_1",
    eventId: "evt_1",
    userId: 4711,
    details: { orderId: "A-88213" },
    version: null,
    createdAt: "2026-11-25T14:03:00.000Z",
  } as never;
  for (const search of ["dlv_1", "evt_1", "4711", "a-882"]) {
    assert.equal(matches(delivery, { search }), true, search);
  }
  for (const filter of [{ search: "orderId" }, { search: "null" }, { userId: 7 }]) {
    assert.equal(matches(delivery, filter), false, JSON.stringify(filter));
  }
});
