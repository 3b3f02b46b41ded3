import assert from "node:assert/strict";
import { test } from "node:test";
import type { Delivery } from "@markethook/client";
import { type LogPages, reaches, withNew } from "./log-pages.ts";

/** Numbers of two lengths in base 36, so that comparing ids as text would not do. */
function delivery(number: number): Delivery {
  return { id: `dlv_${number.toString(36)}abcdefghij` } as Delivery; // The log's order needs no more.
}

function pagesOf(...pages: number[][]): LogPages {
  return {
    pages: pages.map((numbers, index) => ({
      items: numbers.map(delivery),
      nextCursor: index === pages.length - 1 ? null : String(index),
      opening: 1,
    })),
    pageParams: pages.map((_, index) => (index === 0 ? null : String(index - 1))),
  };
}

const ids = (pages: LogPages) => pages.pages.map(({ items }) => items.map(({ id }) => id));

test("new deliveries stand in the order of their numbers, whatever order they come in", () => {
  const all = withNew(pagesOf([40, 35], [30, 10]), [37, 50, 31, 9, 36, 45].map(delivery));
  assert.deepEqual(ids(all), ids(pagesOf([50, 45, 40, 37, 36, 35], [31, 30, 10, 9])));
});

test("one that is there already is not inserted twice", () => {
  const all = pagesOf([40, 35]);
  assert.equal(withNew(all, [delivery(35)]), all);
});

test("one from a part of the log that was not read yet is left to reading on", () => {
  const all = pagesOf([40, 35]);
  const [first] = all.pages;
  const partly: LogPages = {
    ...all,
    pages: first === undefined ? [] : [{ ...first, nextCursor: "more" }],
  };
  assert.deepEqual([reaches(partly, delivery(36)), reaches(partly, delivery(34))], [true, false]);
  assert.equal(withNew(partly, [delivery(34)]), partly);
});
