import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createClient } from "./create-client.ts";
import { against } from "./testing/against.ts";
import type { Step } from "./testing/scripted-server.ts";

/**
 * A copy of a `Request` forgets the signal of its original when garbage is collected. A live stream could then neither be
 * ended nor notice that the service had fallen silent.
 */
const SILENT: Step = (response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write('id: 1\nevent: delivery\ndata: {"id":"dlv_1"}\n\n');
};

async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void; // The flag makes it.
  for (let turn = 0; turn < 3; turn += 1) {
    await nextTurn();
    collect();
  }
}

test("an abort ends a live stream also after garbage was collected", async (t) => {
  const { client } = await against(t, [SILENT]);
  const stop = new AbortController();
  const stream = client.deliveries.stream({}, { signal: stop.signal });
  assert.equal((await stream.next()).value?.id, "dlv_1");
  await collectGarbage();
  stop.abort(new Error("enough"));
  await assert.rejects(stream.next(), /enough/);
});

test("a live stream that falls silent is noticed also after garbage was collected", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { client } = await against(t, [SILENT]);
  const stream = client.deliveries.stream();
  await stream.next();
  const next = stream.next();
  await collectGarbage();
  t.mock.timers.tick(60_000);
  await assert.rejects(next, { name: "UnreachableError", reason: "dropped" });
});

test("the time limit ends a call also with a fetch that does not hear of it", async () => {
  const fetch = (): Promise<Response> => new Promise(() => undefined);
  const limits = { timeoutMs: 10, retries: 0 };
  const client = createClient({
    baseUrl: "http://127.0.0.1:1",
    apiKey: "mh_test",
    fetch,
    ...limits,
  });
  await assert.rejects(client.health(), { name: "UnreachableError", reason: "timeout" });
});
