import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient, type Delivery } from "@markethook/client";
import {
  cursorsToReadAgain,
  goesOnByItself,
  listDeliveries,
  type LogPage,
  type LogPages,
  meets,
  reaches,
  searchedBy,
  whenOpened,
  withNew,
} from "./log-paging.ts";

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
      upTo: null,
      readAt: 0,
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

test("a page meets the log where it goes down to what was known when the stream opened, and not to what it told since", () => {
  const [newest] = pagesOf([60, 59, 58]).pages;
  const [deeper] = pagesOf([60, 59, 50, 40]).pages;
  assert.ok(newest && deeper);
  // The second opening tells of 60, and left out 50.
  const told = withNew(whenOpened(pagesOf([40, 35]), 2), [delivery(60)]);
  assert.deepEqual([meets(newest, told), meets(deeper, told)], [false, true]);
  // A third one, before anybody has looked, changes nothing of that.
  const again = whenOpened(told, 3);
  assert.deepEqual([meets(newest, again), meets(deeper, again)], [false, true]);
});

test("an empty log is met by a page with all that there is", () => {
  const empty = whenOpened(pagesOf([]), 2);
  const [all, part] = pagesOf([2, 1], [0]).pages;
  assert.ok(all && part);
  assert.deepEqual([meets({ ...all, nextCursor: null }, empty), meets(all, empty)], [true, false]);
});

test("a search that found nothing is met by one that looked at all that came since, and its pages without rows stay", () => {
  const at = Date.parse("2026-11-25T14:00:00.000Z");
  const searched = (backTo: string) => ({ deliveries: 5000, backTo });
  const [one, two, three, four] = pagesOf([], [30], [], [10]).pages;
  assert.ok(one && two && three && four);
  const known: LogPages = {
    pages: [
      { ...one, readAt: at, searched: searched("2026-11-24T10:00:00.000Z") },
      two,
      three,
      four,
    ],
    pageParams: [null, "0", "1", "2"],
  };
  const again = (backTo: string) => meets({ ...one, searched: searched(backTo) }, known);
  assert.deepEqual(
    [again("2026-11-25T13:59:59.000Z"), again("2026-11-25T14:00:01.000Z")],
    [true, false],
  );
  assert.deepEqual(cursorsToReadAgain(known), [null, "0", "2"]);
  assert.equal(cursorsToReadAgain(pagesOf([40], [30], [20], [10])), null);
});

/** Answers these pages in turn, and remembers what was asked for. */
function clientOver(pages: readonly { items: object[]; nextCursor: string | null }[]) {
  const asked: string[] = [];
  const client = createClient({
    baseUrl: "http://127.0.0.1:1",
    apiKey: "mhs_x",
    fetch: async (request) => {
      const { url } = new Request(request);
      asked.push(new URL(url).search);
      return Response.json(pages[asked.length - 1]);
    },
  });
  return { client, asked };
}

test("a page that found nothing yet is followed until there are rows", async () => {
  const { client, asked } = clientOver([
    { items: [], nextCursor: "a" },
    { items: [], nextCursor: "b" },
    { items: [{ id: "dlv_1" }], nextCursor: "c" },
  ]);
  const { signal } = new AbortController();
  const page = await listDeliveries(client, { status: 500 }, "map", null, signal);
  assert.deepEqual(page, { items: [{ id: "dlv_1" }], nextCursor: "c" });
  assert.deepEqual(asked, [
    "?status=500&resourceId=map&limit=100",
    "?status=500&resourceId=map&limit=100&cursor=a",
    "?status=500&resourceId=map&limit=100&cursor=b",
  ]);
});

test("a log in which nothing matches ends", async () => {
  const { client, asked } = clientOver([
    { items: [], nextCursor: "a" },
    { items: [], nextCursor: null },
  ]);
  const { signal } = new AbortController();
  const page = await listDeliveries(client, {}, null, null, signal);
  assert.deepEqual(page, { items: [], nextCursor: null });
  assert.equal(asked.length, 2);
});

test("a search that found nothing says how far it looked, and is not followed", async () => {
  const searched = { deliveries: 5000, backTo: null };
  const { client, asked } = clientOver([{ items: [], nextCursor: "a", searched }] as never);
  const { signal } = new AbortController();
  const page = await listDeliveries(client, { search: "88213" }, null, null, signal);
  assert.deepEqual(page, { items: [], nextCursor: "a", searched });
  assert.deepEqual(asked, ["?search=88213&limit=100"]);
});

const SEARCHED_TO = "2026-11-25T14:03:00.000Z";

function searchedPage(
  deliveries: number,
  nextCursor: string | null,
  backTo: string | null = SEARCHED_TO,
): LogPage {
  return { items: [], nextCursor, searched: { deliveries, backTo } };
}

test("what was searched is summed over the pages, back to the oldest", () => {
  const earlier = "2026-11-24T10:00:00.000Z";
  assert.deepEqual(
    searchedBy([
      searchedPage(5000, "a"),
      searchedPage(4000, "b", earlier),
      searchedPage(0, "c", null),
    ]),
    {
      deliveries: 9000,
      backTo: Date.parse(earlier),
      isAll: false,
    },
  );
  assert.equal(searchedBy([{ items: [], nextCursor: null }]), null);
});

test("a search that filled no page waits to be told", () => {
  assert.equal(goesOnByItself(searchedPage(5000, "a"), 100), false);
  assert.equal(goesOnByItself(searchedPage(5000, "a"), 0), true);
  assert.equal(goesOnByItself(searchedPage(50, null), 0), false);
  assert.equal(goesOnByItself({ items: [], nextCursor: "a" }, 100), true);
});
