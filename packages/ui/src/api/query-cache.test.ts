import assert from "node:assert/strict";
import { test } from "node:test";
import { InfiniteQueryObserver, QueryObserver } from "@tanstack/react-query";
import { createLaterReading, createQueryClient, readAgain } from "./query-cache.ts";

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

test("a list whose reading takes long is shown, whatever happens meanwhile, and then read once more", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  /** Lets everything go on that waits for a reply, and then what waits for a delay. */
  const afterDelay = async (): Promise<void> => {
    await new Promise(setImmediate);
    t.mock.timers.tick(1);
    await new Promise(setImmediate);
  };
  const queries = createQueryClient();
  const ending = new AbortController();
  const replies = [1, 2, 3].map(() => Promise.withResolvers<string>());
  let asked = 0;
  const list = new QueryObserver(queries, {
    queryKey: ["list"],
    queryFn: async () => {
      const reply = replies[asked];
      asked += 1;
      return (await reply?.promise) ?? "";
    },
  });
  t.after(() => {
    ending.abort();
    queries.clear();
  });
  t.after(list.subscribe(() => {}));
  replies[0]?.resolve("first");
  await list.refetch();
  const readLater = createLaterReading(
    queries,
    { queryKey: ["list"] },
    { delayMs: 0, signal: ending.signal },
  );
  readLater();
  await afterDelay();
  readLater();
  await afterDelay();
  assert.equal(asked, 2);
  replies[1]?.resolve("second");
  await afterDelay();
  assert.equal(asked, 3);
  assert.equal(queries.getQueryData(["list"]), "second");
  replies[2]?.resolve("third");
  await afterDelay();
  assert.equal(asked, 3);
});
