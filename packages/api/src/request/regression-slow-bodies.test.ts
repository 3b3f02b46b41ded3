import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { createTestApp } from "../testing/test-app.ts";

const EXCHANGE = { method: "POST", url: "/v1/portal-sessions/exchange" } as const;
const JSON_TYPE = { "content-type": "application/json" };

test("without a key no more than a kilobyte of a body is read", async () => {
  const { app } = await createTestApp();
  const payload = JSON.stringify({ code: "x".repeat(2000) });
  const announced = await app.inject({ ...EXCHANGE, headers: JSON_TYPE, payload });
  assert.deepEqual([announced.statusCode, announced.json().code], [413, "body_too_large"]);
  const port = Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
  const chunked = await fetch(`http://127.0.0.1:${port}${EXCHANGE.url}`, {
    method: "POST",
    headers: JSON_TYPE,
    body: new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from(payload));
        controller.close();
      },
    }),
    duplex: "half",
  });
  assert.equal(chunked.status, 413);
  await app.close();
});

test(
  "bodies that arrive slowly take no more than their memory, and give it back",
  { timeout: 60_000 },
  async (t) => {
    const { app, key, send } = await createTestApp({ bodyBytes: 700 * 1024 });
    const port = Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
    t.after(() => app.close());
    const head = `PUT /v1/resources/a HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 310000\r\n\r\n`;
    const sockets: Socket[] = [];
    const closed: Promise<void>[] = [];
    app.server.on("connection", (socket: Socket) => {
      // Also one that is reset, which `once` of Node tells as an error.
      closed.push(new Promise((resolve) => socket.once("close", () => resolve())));
    });
    const refused = new Promise<string>((resolve) => {
      for (let i = 0; i < 3; i += 1) {
        const socket = connect(port, "127.0.0.1");
        sockets.push(socket);
        socket.on("error", () => {});
        socket.once("data", (data) => resolve(String(data)));
        socket.write(head + "x".repeat(300_000));
      }
    });
    const answer = await refused;
    assert.match(answer, /^HTTP\/1\.1 503 /);
    assert.match(answer, /retry-after: 1\r\n/i);
    assert.match(answer, /"code":"overloaded"/);

    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
    const payload = { title: "x", ownerId: "o" };
    const put = { method: "PUT", url: "/v1/resources/a", headers: JSON_TYPE, payload } as const;
    const authorization = { authorization: `Bearer ${key}` };
    const after = await send({ ...put, headers: { ...JSON_TYPE, ...authorization } });
    assert.ok(after.statusCode < 300, after.body);
  },
);
