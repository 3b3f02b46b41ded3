import assert from "node:assert/strict";
import { test } from "node:test";
import { against } from "./testing/against.ts";
import { problem, type Step } from "./testing/scripted-server.ts";

function events(...blocks: string[]): Step {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    for (const block of blocks) response.write(block);
  };
}

function tell(event: string, data: object = {}): string {
  return `id: 1\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

test("a stream yields each delivery, tells of opening and skipping, and ends when it is told to", async (t) => {
  const [first, second] = [tell("delivery", { id: "dlv_1" }), tell("delivery", { id: "dlv_2" })];
  const step = events(
    ": hello\n\n",
    first.slice(0, 20),
    first.slice(20) + tell("ping"),
    tell("skipped"),
    second,
    tell("end"),
  );
  const { client, server } = await against(t, [step]);
  const told: string[] = [];
  const stream = client
    .forOwner("o-1")
    .deliveries.stream(
      { webhookId: "wh_1" },
      { onOpen: () => void told.push("open"), onSkipped: () => void told.push("skipped") },
    );
  for await (const { id } of stream) told.push(id);
  assert.deepEqual(told, ["open", "dlv_1", "skipped", "dlv_2"]);
  const [request] = server.seen;
  assert.equal(request?.url, "/v1/deliveries/stream?webhookId=wh_1&ownerId=o-1");
  assert.equal(request.headers.authorization, "Bearer mh_test");
  assert.equal(request.headers.accept, "text/event-stream");
});

test("a stream that breaks off, or ends without a word, is unreachable", async (t) => {
  const broken: Step = (response) => {
    events(tell("delivery", { id: "dlv_1" }))(response, {
      method: "",
      url: "",
      headers: {},
      body: "",
    });
    setImmediate(() => response.destroy());
  };
  const silent: Step = (response) =>
    void response.writeHead(200, { "content-type": "text/event-stream" }).end();
  for (const step of [broken, silent]) {
    const { client } = await against(t, [step]);
    await assert.rejects(Array.fromAsync(client.deliveries.stream()), {
      name: "UnreachableError",
      reason: "dropped",
    });
  }
});

test("a refusal is an ApiError, once, and another answer is unexpected", async (t) => {
  const full = problem(503, "too_many_streams", { "retry-after": "5" });
  const refusing = await against(t, [full]);
  await assert.rejects(refusing.client.deliveries.stream().next(), {
    name: "ApiError",
    code: "too_many_streams",
    retryAfterSeconds: 5,
  });
  assert.equal(refusing.server.seen.length, 1);
  const page: Step = (response) =>
    void response.writeHead(200, { "content-type": "text/html" }).end("<p>Log in</p>");
  const { client } = await against(t, [page]);
  await assert.rejects(client.deliveries.stream().next(), { name: "UnexpectedAnswerError" });
});

test("the signal ends a stream with its reason, and leaving the loop ends it quietly", async (t) => {
  const { client } = await against(t, [events(tell("delivery", { id: "dlv_1" }))]);
  const abort = new AbortController();
  const stream = client.deliveries.stream({}, { signal: abort.signal });
  assert.equal((await stream.next()).done, false);
  abort.abort(new Error("enough"));
  await assert.rejects(stream.next(), { message: "enough" });
  for await (const { id } of client.deliveries.stream()) {
    assert.equal(id, "dlv_1");
    break;
  }
});
