import assert from "node:assert/strict";
import { test } from "node:test";
import { goesOnByItself, type LogPage, searchedBy } from "./log-paging.ts";

const AT = "2026-11-25T14:03:00.000Z";

function page(deliveries: number, nextCursor: string | null, backTo: string | null = AT): LogPage {
  return { items: [], nextCursor, searched: { deliveries, backTo } };
}

test("what was searched is summed over the pages, back to the oldest", () => {
  const earlier = "2026-11-24T10:00:00.000Z";
  assert.deepEqual(searchedBy([page(5000, "a"), page(4000, "b", earlier), page(0, "c", null)]), {
    deliveries: 9000,
    backTo: Date.parse(earlier),
    isAll: false,
  });
  assert.equal(searchedBy([{ items: [], nextCursor: null }]), null);
});

test("a search that filled no page waits to be told", () => {
  assert.equal(goesOnByItself(page(5000, "a"), 100), false);
  assert.equal(goesOnByItself(page(5000, "a"), 0), true);
  assert.equal(goesOnByItself(page(50, null), 0), false);
  assert.equal(goesOnByItself({ items: [], nextCursor: "a" }, 100), true);
});
