import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "./create-client.ts";

/**
 * Ten thousand reports at once opened as many connections. The service closed most of them, and the process that reported
 * computed for minutes.
 */
const CALLS = 1000;
const MOST_OPEN = 100;

test("of many calls at once few requests are open, the others wait, and an abort ends also their wait", async () => {
  const open: ((response: Response) => void)[] = [];
  const seen: string[] = [];
  let full = (): void => undefined;
  const isFull = new Promise<void>((resolve) => (full = resolve));
  let most = 0;
  const client = createClient({
    baseUrl: "http://service.example",
    apiKey: null,
    fetch: async (request) => {
      seen.push(new URL(request.url).pathname);
      const answer = new Promise<Response>((resolve) => open.push(resolve));
      most = Math.max(most, open.length);
      if (open.length === MOST_OPEN) full();
      return await answer;
    },
  });
  const get = async (index: number, signal?: AbortSignal): Promise<unknown> =>
    await client.resources.get(`r${index}`, signal === undefined ? {} : { signal });
  const calls = Array.from({ length: CALLS }, async (_, index) => await get(index));
  const stop = new AbortController();
  const aborted = get(CALLS, stop.signal);
  await isFull;
  stop.abort(new Error("enough"));
  await assert.rejects(aborted, /enough/);

  const all = Promise.all(calls);
  let ended = false;
  const noteEnd = all.then(() => (ended = true));
  while (!ended) {
    for (const answer of open.splice(0)) answer(Response.json({ id: "r", title: "R" }));
    // Those whose turn has come are sent meanwhile.
    await new Promise(setImmediate);
  }
  await noteEnd;
  assert.equal(most, MOST_OPEN);
  assert.deepEqual(
    seen,
    Array.from({ length: CALLS }, (_, index) => `/v1/resources/r${index}`),
  );
});
