import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { against } from "./testing/against.ts";

/** It was told as a broken connection, which callers repeat, and the stream stayed open. */
test("an error of the caller's own listener ends the stream, and is thrown as it is", async (t) => {
  const answers: ServerResponse[] = [];
  const { client } = await against(t, [
    (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("id: 1\nevent: skipped\ndata: {}\n\n");
      answers.push(response);
    },
  ]);
  const fail = (): never => {
    throw new RangeError("the caller's own");
  };
  for (const listener of [{ onOpen: fail }, { onSkipped: fail }]) {
    await assert.rejects(client.deliveries.stream({}, listener).next(), RangeError);
    const answer = answers.pop();
    assert.ok(answer);
    if (!answer.closed) await once(answer, "close");
  }
});
