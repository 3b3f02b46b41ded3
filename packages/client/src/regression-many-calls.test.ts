import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "./create-client.ts";

/**
 * Ten thousand reports at once opened as many connections. The service closed most of them, and the process that reported
 * computed for minutes.
 */
const CALLS = 1000;
const MOST_OPEN = 250;

/** `open`: the functions that answer the open requests, oldest first. */
function world() {
  const open: ((response: Response) => void)[] = [];
  const seen: string[] = [];
  const full = Promise.withResolvers<void>();
  const client = createClient({
    baseUrl: "http://service.example",
    apiKey: null,
    retries: 0,
    fetch: async (request) => {
      seen.push(new URL(request.url).pathname);
      const answer = new Promise<Response>((resolve) => open.push(resolve));
      if (open.length === MOST_OPEN) full.resolve();
      return await answer;
    },
  });
  return { client, open, seen, isFull: full.promise };
}

const idOf = (index: number): string => `r${index}`;
const pathsTo = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `/v1/resources/${idOf(index)}`);

test("of many calls at once few requests are open, the others wait, and an abort ends also their wait", async () => {
  const { client, open, seen, isFull } = world();
  const calls = Array.from({ length: CALLS }, (_, index) => client.resources.get(idOf(index)));
  const stop = new AbortController();
  const aborted = client.resources.get(idOf(CALLS), { signal: stop.signal });
  await isFull;
  stop.abort(new Error("enough"));
  await assert.rejects(aborted, /enough/);
  assert.equal(open.length, MOST_OPEN);

  let ended = false;
  const all = Promise.all(calls).then(() => (ended = true));
  let most = 0;
  while (!ended) {
    most = Math.max(most, open.length);
    for (const answer of open.splice(0)) answer(Response.json({ id: "r", title: "R" }));
    // Those whose turn has come are sent meanwhile.
    await new Promise(setImmediate);
  }
  await all;
  assert.equal(most, MOST_OPEN);
  assert.deepEqual(seen, pathsTo(CALLS));
});

test("a call whose turn does not come in time was not sent, and its error says so", async () => {
  const { client, open, seen, isFull } = world();
  const calls = Array.from({ length: MOST_OPEN }, (_, index) => client.resources.get(idOf(index)));
  await isFull;
  await assert.rejects(client.resources.get("late", { timeoutMs: 20 }), {
    name: "UnreachableError",
    reason: "timeout",
    mayHaveArrived: false,
    message:
      "http://service.example was not asked within 20 ms, because 250 other requests of this client were open. Nothing was sent.",
  });
  for (const answer of open) answer(Response.json({ id: "r", title: "R" }));
  await Promise.all(calls);
  assert.deepEqual(seen, pathsTo(MOST_OPEN));
});
