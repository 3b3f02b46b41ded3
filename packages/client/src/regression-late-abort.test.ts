import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "./create-client.ts";
import { UnreachableError } from "./errors.ts";
import { against } from "./testing/against.ts";
import { accepted, answerJson } from "./testing/scripted-server.ts";

const PURCHASE = { event: "product.user.purchase", user: { id: 1 } } as const;

/** An abort was seen only when the key or the next event had come. */
test("an abort ends the wait for an API key, and the time limit does too", async (t) => {
  const apiKey = (): Promise<string> => new Promise(() => undefined);
  const { server, client } = await against(t, [accepted], { apiKey, retries: 1 });
  const stop = new AbortController();
  const reported = client.events.report("castle", PURCHASE, { signal: stop.signal });
  stop.abort(new Error("enough"));
  await assert.rejects(reported, /enough/);
  await assert.rejects(
    client.events.report("castle", PURCHASE, { timeoutMs: 10 }),
    (error) => error instanceof UnreachableError && /no key within 10 ms/.test(error.message),
  );
  assert.deepEqual(server.seen, []);
});

test("an abort ends the wait for the next of many events", async () => {
  const stop = new AbortController();
  async function* events() {
    yield { ...PURCHASE, resourceId: "castle" };
    stop.abort(new Error("enough"));
    await new Promise(() => undefined);
  }
  const client = createClient({ baseUrl: "http://127.0.0.1:1", apiKey: "mh_test" });
  await assert.rejects(client.events.reportMany(events(), { signal: stop.signal }), /enough/);
});

test("a source that fails because of the abort is nobody's unhandled rejection", async (t) => {
  const unhandled = t.mock.fn();
  process.on("unhandledRejection", unhandled);
  t.after(() => process.off("unhandledRejection", unhandled));
  const stop = new AbortController();
  const event = { ...PURCHASE, resourceId: "castle" };
  const events = {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        if (stop.signal.aborted) throw new Error("the input was closed");
        return { done: false as const, value: event };
      },
    }),
  };
  const client = createClient({ baseUrl: "http://127.0.0.1:1", apiKey: "mh_test", retries: 0 });
  const onProgress = (): void => stop.abort(new Error("enough"));
  const options = { signal: stop.signal, batchSize: 1, afterFailure: "go_on", onProgress } as const;
  await assert.rejects(client.events.reportMany(events, options), /enough/);
  // It fails in the next turn, and is reported in the one after.
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(unhandled.mock.callCount(), 0);
});

test("a source of events is closed when nobody wants more of them", async (t) => {
  const one = { status: "accepted", eventId: "evt_1", deliveries: 0 };
  const { client } = await against(t, [answerJson(202, { results: [one] })]);
  let closed = false;
  async function* events() {
    try {
      for (;;) yield { ...PURCHASE, resourceId: "castle" };
    } finally {
      closed = true;
    }
  }
  const { signal } = new AbortController();
  for await (const result of client.events.reportEach(events(), { batchSize: 1, signal })) {
    assert.equal(result.status, "accepted");
    break;
  }
  assert.equal(closed, true);
});

test("an abort ends the wait for the next of many resources", async () => {
  const stop = new AbortController();
  async function* resources() {
    yield { id: "castle", ownerId: "owner", title: "T", subtitle: "" };
    stop.abort(new Error("enough"));
    await new Promise(() => undefined);
  }
  const client = createClient({ baseUrl: "http://127.0.0.1:1", apiKey: "mh_test" });
  await assert.rejects(client.resources.putMany(resources(), { signal: stop.signal }), /enough/);
});
