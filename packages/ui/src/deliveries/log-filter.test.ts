import assert from "node:assert/strict";
import { test } from "node:test";
import { isNarrowed, readFilter } from "./log-filter.ts";

test("what stands in the address is taken only where it can be a filter", () => {
  assert.deepEqual(readFilter({ state: "dead", status: 500, search: " evt_1 ", from: 1.5, x: 1 }), {
    state: "dead",
    status: 500,
    search: "evt_1",
  });
  assert.deepEqual(readFilter({ state: "toString", status: "500", search: "  ", to: null }), {});
  assert.deepEqual(readFilter({ search: 4711 }), { search: "4711" });
});

test("a log of one webhook counts as narrowed only by what was chosen besides", () => {
  assert.equal(isNarrowed({ webhookId: "wh_1" }), false);
  assert.equal(isNarrowed({ webhookId: "wh_1", event: "ping" }), true);
});
