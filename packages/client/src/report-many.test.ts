import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { ItemResult } from "./item-result.ts";
import type { EventItem } from "./schemas.ts";
import { against } from "./testing/against.ts";
import { answerJson, drop, problem, type Step } from "./testing/scripted-server.ts";

interface SentEvent {
  resourceId: string;
  user?: { id: number };
  idempotencyKey: string;
  text?: string;
}

async function setUp(t: TestContext, steps: readonly Step[]) {
  const { server, client } = await against(t, steps, { retries: 1 });
  const batches = (): SentEvent[][] =>
    server.seen.map(({ body }) => (JSON.parse(body) as { events: SentEvent[] }).events);
  return { server, client, batches };
}

/** Accepts all, naming the user in the event's id. */
const acceptAll: Step = (response, { body }) => {
  const { events } = JSON.parse(body) as { events: SentEvent[] };
  const results = events.map(({ user }) => ({
    status: "accepted",
    eventId: `evt_${user?.id}`,
    deliveries: 0,
  }));
  answerJson(202, { results })(response, { method: "", url: "", headers: {}, body });
};

function purchases(count: number): EventItem[] {
  return Array.from({ length: count }, (_, id) => ({
    resourceId: "castle",
    event: "product.user.purchase",
    user: { id },
  }));
}

test("results come in the order of the input, from iterables of every kind, at any concurrency", async (t) => {
  const { client, batches } = await setUp(t, [acceptAll]);
  async function* slowly() {
    yield* purchases(25);
  }
  for (const items of [purchases(25), new Set(purchases(25)), slowly()]) {
    for (const concurrency of items instanceof Set ? [1, 3] : [2]) {
      const before = batches().length;
      const told: number[] = [];
      const answer = await client.events.reportMany(items, {
        batchSize: 10,
        concurrency,
        onProgress: ({ done }) => told.push(done),
      });
      assert.deepEqual(
        answer.results.map((result) => "eventId" in result && result.eventId),
        purchases(25).map((_, id) => `evt_${id}`),
      );
      assert.deepEqual([answer.done, answer.accepted], [25, 25]);
      assert.deepEqual(told, [10, 20, 25]);
      assert.equal(batches().length - before, 3);
    }
  }
});

test("an event for which the whole batch is refused is rejected, and the others are sent", async (t) => {
  const refused = (index: number) =>
    answerJson(400, {
      title: "No.",
      detail: "Do this.",
      code: "json_forbidden_key",
      status: 400,
      pointer: `/events/${index}/constructor`,
    });
  const { client, batches } = await setUp(t, [refused(1), refused(2), acceptAll]);
  const { results } = await client.events.reportMany(purchases(5));
  assert.deepEqual(
    results.map((result) => ("pointer" in result ? result.pointer : result.status)),
    ["accepted", "/constructor", "accepted", "/constructor", "accepted"],
  );
  assert.deepEqual(
    batches().map((batch) => batch.map(({ user }) => user?.id)),
    [
      [0, 1, 2, 3, 4],
      [0, 2, 3, 4],
      [0, 2, 4],
    ],
  );
});

test("what became of events is counted by kind", async (t) => {
  const kinds = ["accepted", "duplicate", "duplicate", "rejected", "rejected", "rejected"];
  const { client } = await against(t, [
    answerJson(202, { results: kinds.map((status) => ({ status })) }),
  ]);
  const { results, ...counts } = await client.events.reportMany(purchases(7));
  assert.equal(results.length, 7);
  // The answer has one result fewer than there were events.
  assert.deepEqual(counts, { done: 7, accepted: 1, duplicates: 2, rejected: 3, failed: 1 });
});

test("a batch holds no more than 4 MiB, and an event that no batch can hold is refused here", async (t) => {
  const { client, server } = await setUp(t, [acceptAll]);
  const large = purchases(5);
  for (const item of large) item.details = { reason: "ü".repeat(700_000) };
  const tooLarge = { ...purchases(1)[0], details: { reason: "x".repeat(4_200_000) } } as EventItem;
  const { results } = await client.events.reportMany([...large, tooLarge, ...purchases(1)]);
  assert.deepEqual(
    results.map(({ status }) => status),
    [...Array.from({ length: 5 }, () => "accepted"), "rejected", "accepted"],
  );
  assert.equal(results[5]?.status === "rejected" && results[5].code, "event_too_large");
  assert.ok(server.seen.length > 1);
  for (const { body } of server.seen) assert.ok(Buffer.byteLength(body) <= 4 * 1024 * 1024);
});

test("every event has one key over all tries of its batch: its own, or one that is made", async (t) => {
  const { client, batches } = await setUp(t, [drop, acceptAll]);
  const items = purchases(3);
  if (items[1] !== undefined) items[1].idempotencyKey = "order-1";
  const { results } = await client.events.reportMany(items);
  const [first = [], second = []] = batches().map((events) =>
    events.map(({ idempotencyKey }) => idempotencyKey),
  );
  assert.deepEqual(first, second);
  assert.equal(new Set(first).size, 3);
  assert.equal(first[1], "order-1");
  assert.deepEqual(
    results.map(({ idempotencyKey }) => idempotencyKey),
    first,
  );
});

test("a batch that fails for good fails event by event, and by default nothing is sent after it", async (t) => {
  const steps = [acceptAll, problem(503, "overloaded"), problem(503, "overloaded"), acceptAll];
  const stopped = await setUp(t, steps);
  const answer = await stopped.client.events.reportMany(purchases(30), { batchSize: 10 });
  const shape = ({ status, ...rest }: ItemResult) =>
    "sent" in rest ? `${status} ${rest.sent}` : status;
  assert.deepEqual(answer.results.map(shape), [
    ...Array.from({ length: 10 }, () => "accepted"),
    ...Array.from({ length: 10 }, () => "failed true"),
    ...Array.from({ length: 10 }, () => "failed false"),
  ]);
  assert.equal(stopped.server.seen.length, 3);
  const last = answer.results.at(-1);
  assert.ok(last?.status === "failed");
  assert.match(String(last.error.cause), /overloaded/);

  const goingOn = await setUp(t, steps);
  const { accepted, failed } = await goingOn.client.events.reportMany(purchases(30), {
    batchSize: 10,
    afterFailure: "go_on",
  });
  assert.deepEqual([accepted, failed], [20, 10]);
});

test("what cannot be JSON is refused in its place, and what is no event is left to the service", async (t) => {
  const { client, batches } = await setUp(t, [acceptAll]);
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  const odd = [circular, undefined, 5, ...purchases(1)] as EventItem[];
  const { results } = await client.events.reportMany(odd);
  assert.deepEqual(
    results.map(({ index, status }) => [index, status]),
    [
      [0, "rejected"],
      [1, "rejected"],
      [2, "accepted"],
      [3, "accepted"],
    ],
  );
  assert.equal(batches()[0]?.[0], 5);
});

test("an abort rejects, also with several batches on their way", async (t) => {
  const stop = new AbortController();
  const { client } = await setUp(t, [() => stop.abort(new Error("enough"))]);
  await assert.rejects(
    client.events.reportMany(purchases(30), {
      batchSize: 10,
      concurrency: 3,
      signal: stop.signal,
    }),
    { message: "enough" },
  );
});

test("sizes that make no sense are refused", async (t) => {
  const { client } = await setUp(t, [acceptAll]);
  for (const options of [{ batchSize: 0 }, { batchSize: 1001 }, { concurrency: 0 }]) {
    await assert.rejects(client.events.reportMany(purchases(1), options), RangeError);
  }
});
