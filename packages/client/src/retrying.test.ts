import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "./create-client.ts";
import { UnreachableError } from "./errors.ts";
import { against } from "./testing/against.ts";
import { accepted, answerJson, drop, hang, problem, type Step } from "./testing/scripted-server.ts";

const PURCHASE = { event: "product.user.purchase", user: { id: 1 } } as const;
const WEBHOOK = "wh_aaaaaaaaaaaaaaaaaaaa";

test("an event refused with 503 and Retry-After is reported again with the same key and body", async (t) => {
  const busy = problem(503, "overloaded", { "retry-after": "0" });
  const { server, client } = await against(t, [busy, busy, accepted]);
  const result = await client.events.report("castle", PURCHASE, { idempotencyKey: "order-1" });
  assert.deepEqual(result, { status: "accepted", eventId: "evt_1", deliveries: 1 });
  assert.equal(server.seen.length, 3);
  for (const { headers, body } of server.seen) {
    assert.equal(headers["idempotency-key"], "order-1");
    assert.deepEqual(JSON.parse(body), PURCHASE);
    assert.equal(headers.authorization, "Bearer mh_test");
  }
});

test("a key that is made for a call is the same at every try, and another at the next call", async (t) => {
  const { server, client } = await against(t, [drop, accepted]);
  await client.events.report("castle", PURCHASE);
  await client.events.report("castle", PURCHASE);
  const keys = server.seen.map(({ headers }) => headers["idempotency-key"]);
  assert.equal(keys.length, 3);
  assert.match(String(keys[0]), /^[0-9a-f]{32}$/);
  assert.equal(keys[0], keys[1]);
  assert.notEqual(keys[1], keys[2]);
});

test("a key in the event's body is sent as the header too", async (t) => {
  const { server, client } = await against(t, [accepted]);
  await client.events.report("castle", { ...PURCHASE, idempotencyKey: "order-9" });
  assert.equal(server.seen[0]?.headers["idempotency-key"], "order-9");
});

test("no answer within the time limit is tried again, and then told as a timeout", async (t) => {
  // Counted here, as a busy machine may send the first one after its time.
  const counted = t.mock.fn(fetch);
  const limits = { timeoutMs: 30, retries: 1, fetch: counted };
  const { client } = await against(t, [hang], limits);
  const error = await rejection(client.events.report("castle", PURCHASE));
  assert.ok(error instanceof UnreachableError);
  assert.deepEqual([error.reason, error.mayHaveArrived], ["timeout", true]);
  assert.match(error.message, /did not answer within 30 ms/);
  assert.equal(counted.mock.callCount(), 2);
});

test("a time limit that is none is refused, and settings that are not set are the defaults", async (t) => {
  const drops = t.mock.fn(async () => await Promise.reject(new Error("the network is away")));
  const given = { baseUrl: "http://127.0.0.1:1", apiKey: "mh_test", backoffMs: 1, fetch: drops };
  for (const timeoutMs of [0, -1, 0.5, Number.NaN, Infinity, 2 ** 31]) {
    assert.throws(() => createClient({ ...given, timeoutMs }), /timeoutMs is .* from 1 to/);
    await assert.rejects(createClient(given).health({ timeoutMs }), /timeoutMs is .* from 1 to/);
  }
  assert.equal(drops.mock.callCount(), 0);
  // As plain JavaScript passes them.
  const unset: object = { retries: undefined, timeoutMs: undefined };
  await assert.rejects(createClient({ ...given, ...unset }).health(), {
    name: "UnreachableError",
    message: "http://127.0.0.1:1 cannot be reached: the network is away.",
  });
  assert.equal(drops.mock.callCount(), 5);
});

test("an answer that stops half-way is a try that failed", async (t) => {
  const half: Step = (response) => {
    response.writeHead(202, { "content-type": "application/json", "content-length": "100" });
    response.write('{"status":', () => response.socket?.destroy());
  };
  const { server, client } = await against(t, [half, accepted]);
  assert.equal((await client.events.report("castle", PURCHASE)).status, "accepted");
  assert.equal(server.seen.length, 2);
});

test("what may have been done is not done again where that would do harm", async (t) => {
  const { server, client } = await against(t, [drop]);
  const calls: (() => Promise<unknown>)[] = [
    () => client.webhooks.ping(WEBHOOK),
    () => client.secrets.rotate(WEBHOOK),
    () => client.secrets.cancelRotation(WEBHOOK),
    () => client.deliveries.redeliver("dlv_1aaaaaaaaaa"),
    () => client.replay.run(WEBHOOK, { from: 0, to: 1 }),
    () => client.webhooks.create("castle", { url: "https://bot.example/" }),
    () => client.webhooks.change(WEBHOOK, { description: "x" }),
    () => client.apiKeys.create({ name: "x", scopes: ["admin"] }),
  ];
  for (const call of calls) {
    const before = server.seen.length;
    const error = await rejection(call());
    assert.ok(error instanceof UnreachableError, String(error));
    assert.deepEqual([error.reason, error.mayHaveArrived], ["dropped", true]);
    assert.equal(server.seen.length - before, 1);
  }
});

test("a busy service is asked again by reads, puts and deletes only", async (t) => {
  const { server, client } = await against(t, [problem(503, "overloaded")], { retries: 2 });
  const tries = async (call: Promise<unknown>): Promise<number> => {
    const before = server.seen.length;
    assert.match(String(await rejection(call)), /overloaded/);
    return server.seen.length - before;
  };
  assert.equal(await tries(client.webhooks.get(WEBHOOK)), 3);
  assert.equal(await tries(client.resources.put("castle", { title: "x", ownerId: "o" })), 3);
  assert.equal(await tries(client.webhooks.delete(WEBHOOK)), 3);
  assert.equal(await tries(client.webhooks.ping(WEBHOOK)), 1);
  assert.equal(await tries(client.webhooks.get(WEBHOOK, { retries: 0 })), 1);
});

test("where nothing listens, every call is tried again, because none was done", async (t) => {
  const { server } = await against(t, [accepted]);
  await server.close();
  let tries = 0;
  const client = createClient({
    baseUrl: server.url,
    apiKey: null,
    retries: 2,
    backoffMs: 1,
    fetch: async (request, init) => {
      tries += 1;
      return await fetch(request, init);
    },
  });
  const error = await rejection(client.webhooks.ping(WEBHOOK));
  assert.ok(error instanceof UnreachableError);
  assert.deepEqual([error.reason, error.mayHaveArrived], ["refused", false]);
  assert.match(error.message, /nothing listens there/);
  assert.equal(tries, 3);
});

test("a deletion whose answer was lost has not failed because the thing is gone", async (t) => {
  const gone = problem(404, "not_found");
  const { client } = await against(t, [drop, gone]);
  await client.webhooks.delete(WEBHOOK);
  await assert.rejects(client.webhooks.delete(WEBHOOK), { code: "not_found" });
});

test("a wait longer than the longest allowed is left to the caller", async (t) => {
  const { server, client } = await against(t, [
    problem(503, "storage_full", { "retry-after": "3600" }),
  ]);
  await assert.rejects(client.events.report("castle", PURCHASE), {
    code: "storage_full",
    retryAfterSeconds: 3600,
  });
  assert.equal(server.seen.length, 1);
});

test("an abort ends a call at once, while it waits for an answer and between tries", async (t) => {
  const stop = new AbortController();
  const { client } = await against(t, [
    () => stop.abort(new Error("enough")),
    problem(503, "overloaded", { "retry-after": "20" }),
  ]);
  await assert.rejects(client.events.report("castle", PURCHASE, { signal: stop.signal }), {
    message: "enough",
  });
  const later = new AbortController();
  const waiting = client.health({ signal: later.signal });
  setImmediate(() => later.abort(new Error("no more")));
  await assert.rejects(waiting, { message: "no more" });
});

test("the key is asked for at each try", async (t) => {
  const keys = ["mh_old", "mh_new"];
  const { server, client } = await against(t, [problem(503, "overloaded"), answerJson(200, {})], {
    apiKey: async () => keys.shift() ?? "",
  });
  await client.webhooks.get(WEBHOOK);
  assert.deepEqual(
    server.seen.map(({ headers }) => headers.authorization),
    ["Bearer mh_old", "Bearer mh_new"],
  );
});

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    (value) => assert.fail(`it gave ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
}
