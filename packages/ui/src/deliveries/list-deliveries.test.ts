import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "@markethook/client";
import { listDeliveries } from "./log-paging.ts";

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
