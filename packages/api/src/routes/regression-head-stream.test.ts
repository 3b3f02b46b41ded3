/** HEAD of the live stream opened a stream: the next request on its connection was never answered. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { createTestApp } from "../testing/test-app.ts";

test(
  "HEAD of the live stream ends with its headers, and the next request on its connection is answered",
  { timeout: 60_000 },
  async (t) => {
    const { app, makeSession } = await createTestApp();
    const session = await makeSession("o-1");
    const port = Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
    const socket = connect(port, "127.0.0.1").setEncoding("utf8");
    t.after(async () => {
      socket.destroy();
      await app.close();
    });
    const headers = `Host: a\r\nAuthorization: Bearer ${session}\r\n`;
    socket.write(`HEAD /v1/deliveries/stream HTTP/1.1\r\n${headers}\r\n`);
    let text = "";
    let isAsked = false;
    for await (const piece of socket as AsyncIterable<string>) {
      text += piece;
      if (!isAsked)
        socket.write(`GET /v1/webhooks HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`);
      isAsked = true;
    }
    const [first = "", second = "", ...more] = text.split("\r\n\r\n");
    assert.match(
      first,
      /^HTTP\/1\.1 200 [^]*\r\ncontent-type: text\/event-stream; charset=utf-8\r\n/,
    );
    assert.match(second, /^HTTP\/1\.1 200 /);
    assert.deepEqual(more, ['{"items":[],"nextCursor":null}']);
  },
);
