import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "./create-client.ts";
import {
  problem,
  type ScriptedServer,
  startScriptedServer,
  type Step,
} from "./testing/scripted-server.ts";

function events(...blocks: string[]): Step {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    for (const block of blocks) response.write(block);
  };
}

function tell(event: string, data: object = {}): string {
  return `id: 1\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

async function withServer(
  step: Step,
  work: (client: ReturnType<typeof createClient>, server: ScriptedServer) => Promise<void>,
): Promise<void> {
  const server = await startScriptedServer([step]);
  try {
    await work(createClient({ baseUrl: server.url, apiKey: "mhs_x" }), server);
  } finally {
    await server.close();
  }
}

test("a stream yields each delivery, tells of opening and skipping, and ends when it is told to", async () => {
  const [first, second] = [tell("delivery", { id: "dlv_1" }), tell("delivery", { id: "dlv_2" })];
  const step = events(
    ": hello\n\n",
    first.slice(0, 20),
    first.slice(20) + tell("ping"),
    tell("skipped"),
    second,
    tell("end"),
  );
  await withServer(step, async (client, server) => {
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
    assert.equal(request.headers.authorization, "Bearer mhs_x");
    assert.equal(request.headers.accept, "text/event-stream");
  });
});

test("a stream that breaks off, or ends without a word, is unreachable", async () => {
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
    await withServer(step, async (client) => {
      await assert.rejects(Array.fromAsync(client.deliveries.stream()), {
        name: "UnreachableError",
        reason: "dropped",
      });
    });
  }
});

test("a refusal is an ApiError, once, and another answer is unexpected", async () => {
  await withServer(
    problem(503, "too_many_streams", { "retry-after": "5" }),
    async (client, server) => {
      await assert.rejects(client.deliveries.stream().next(), {
        name: "ApiError",
        code: "too_many_streams",
        retryAfterSeconds: 5,
      });
      assert.equal(server.seen.length, 1);
    },
  );
  const page: Step = (response) =>
    void response.writeHead(200, { "content-type": "text/html" }).end("<p>Log in</p>");
  await withServer(page, async (client) => {
    await assert.rejects(client.deliveries.stream().next(), { name: "UnexpectedAnswerError" });
  });
});

test("the signal ends a stream with its reason, and leaving the loop ends it quietly", async () => {
  await withServer(events(tell("delivery", { id: "dlv_1" })), async (client) => {
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
});
