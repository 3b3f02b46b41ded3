import assert from "node:assert/strict";
import { test } from "node:test";
import { InfiniteQueryObserver } from "@tanstack/react-query";
import { createQueryClient, readAgain } from "./query-cache.ts";

test("a list is read again after a change, although the page on its way could not be read", async (t) => {
  const queries = createQueryClient();
  const asked: number[] = [];
  const next = Promise.withResolvers<string>();
  const list = new InfiniteQueryObserver(queries, {
    queryKey: ["list"],
    initialPageParam: 0,
    queryFn: async ({ pageParam }) => {
      asked.push(pageParam);
      return pageParam === 0 ? "first" : await next.promise;
    },
    getNextPageParam: () => 1,
  });
  t.after(() => queries.clear());
  t.after(list.subscribe(() => {}));
  await list.refetch();
  asked.length = 0;
  const older = list.fetchNextPage();
  const again = readAgain(queries, { queryKey: ["list"] });
  next.reject(new Error("out of reach"));
  await Promise.all([older, again]);
  assert.deepEqual(asked, [1, 0]);
});
