import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { against } from "./testing/against.ts";

const tell = (id: string): string => `id: 1\nevent: delivery\ndata: {"id":"${id}"}\n\n`;

test("a caller that works on one delivery for a minute gets the next one: the service was not silent", async (t) => {
  const answers: ServerResponse[] = [];
  const { client } = await against(t, [
    (response) => {
      answers.push(response);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(tell("dlv_1"));
    },
  ]);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const stream = client.deliveries.stream();
  assert.equal((await stream.next()).value?.id, "dlv_1");
  t.mock.timers.tick(60_000);
  answers[0]?.write(tell("dlv_2"));
  assert.equal((await stream.next()).value?.id, "dlv_2");

  const third = assert.rejects(stream.next(), { name: "UnreachableError", reason: "dropped" });
  // It has begun to wait by then.
  await new Promise(setImmediate);
  t.mock.timers.tick(60_000);
  await third;
});
