import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { test } from "node:test";
import { buy } from "./actions/buy.ts";
import { BUYERS } from "./people.ts";
import { openTestShop } from "./testing/test-shop.ts";

test("sample resources have real files, of the size that is shown", (t) => {
  const shop = openTestShop(t);
  for (const { versions } of shop.data.resources) {
    for (const { id, size } of versions) assert.equal(statSync(shop.pathOf(id)).size, size);
  }
});

test("an order and its report are both there after the process has ended, and samples are not made twice", (t) => {
  const shop = openTestShop(t);
  const [ada] = BUYERS;
  assert.ok(ada);
  const key = buy(shop, "sample-plugin", ada);
  const { data } = shop.reopen();
  assert.deepEqual(data, shop.data);
  assert.deepEqual(
    data.orders.map(({ id }) => id),
    [key],
  );
  assert.deepEqual(
    data.reports.map((report) => report.key),
    [key],
  );
});

test("a change that fails half-way leaves nothing behind", (t) => {
  const shop = openTestShop(t);
  const before = structuredClone(shop.data);
  assert.throws(() =>
    shop.change((data) => {
      data.resources = [];
      throw new Error("half-way");
    }),
  );
  assert.deepEqual(shop.data, before);
  assert.deepEqual(shop.reopen().data, before);
});

test("files of a version are found by its id", (t) => {
  const shop = openTestShop(t);
  const last = shop.findResource("sample-plugin")?.versions.at(-1);
  assert.match(readFileSync(shop.pathOf(last?.id ?? ""), "utf8"), /Welcome, %s!/);
});
