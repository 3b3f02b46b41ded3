import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import { connect } from "node:net";
import { buffer, text } from "node:stream/consumers";
import { test, type TestContext } from "node:test";

import { listenOnLoopback } from "@markethook/protocol/testing";

import type { HandlerOptions, Rejection } from "./create-handler.ts";
import { createExpressHandler, type ExpressRequest } from "./express.ts";
import { createNodeHandler } from "./node.ts";
import { signTestRequest } from "./testing.ts";

const SECRET = "k7Qm2XvB9sLtYwR4nHcJ6pZdGfA8eUx1iOoK3MqVbNyT5WhC";

async function listen(t: TestContext, listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  t.after(() => server.close().closeAllConnections());
  return await listenOnLoopback(server);
}

async function post(
  port: number,
  body: Uint8Array | ReadableStream,
  headers: Record<string, string>,
) {
  // duplex is needed for streams and missing in the type.
  const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
  const response = await fetch(`http://127.0.0.1:${port}/any/path`, init);
  return [response.status, await response.text()];
}

type Host = (options: HandlerOptions) => RequestListener;
const HOSTS: [string, Host][] = [
  ["http.createServer", (options) => toListener(createNodeHandler(options))],
  ["Express", (options) => toListener(createExpressHandler(options))],
];

function toListener(handler: (...args: Parameters<RequestListener>) => Promise<void>) {
  return (...args: Parameters<RequestListener>): void => void handler(...args);
}

for (const [name, host] of HOSTS) {
  test(`on ${name} a right request gets 204 and a forged one 401`, async (t) => {
    const titles: string[] = [];
    const onEvent: HandlerOptions["onEvent"] = ({ event }) =>
      void titles.push(event.payload.product.title);
    const port = await listen(t, host({ secrets: SECRET, onEvent }));
    const { body, headers } = signTestRequest({ event: "product.user.purchase", secret: SECRET });
    assert.deepEqual(await post(port, body, headers), [204, ""]);
    const forged = Buffer.from(Buffer.from(body).toString().replace("4711", "4712"));
    assert.deepEqual(await post(port, forged, headers), [401, "signature_mismatch\n"]);
    assert.deepEqual(titles, ["Better Farms – Größere Felder 🌾"]);
  });

  test(`on ${name} a body over the limit is refused, announced or not`, async (t) => {
    const onEvent = () => assert.fail("onEvent was entered");
    const port = await listen(t, host({ secrets: SECRET, onEvent, maxBytes: 100 }));
    const { body, headers } = signTestRequest({ event: "ping", secret: SECRET });
    assert.deepEqual(await post(port, body, headers), [413, "request_body_too_large\n"]);
    const chunked = new Blob([body]).stream();
    assert.deepEqual(await post(port, chunked, headers), [413, "request_body_too_large\n"]);
  });

  test(`on ${name} an empty body is read as such`, async (t) => {
    const rejections: Rejection[] = [];
    const onEvent = () => assert.fail("onEvent was entered");
    const onRejected = (rejection: Rejection) => void rejections.push(rejection);
    const port = await listen(t, host({ secrets: SECRET, onEvent, onRejected }));
    const { headers } = signTestRequest({ event: "ping", secret: SECRET });
    assert.deepEqual(await post(port, new Uint8Array(), headers), [401, "signature_mismatch\n"]);
    assert.equal(rejections[0]?.causes[0]?.code, "body_empty");
  });

  test(`on ${name} other methods get 405`, async (t) => {
    const onEvent = () => assert.fail("onEvent was entered");
    const port = await listen(t, host({ secrets: SECRET, onEvent }));
    const response = await fetch(`http://127.0.0.1:${port}/`);
    assert.deepEqual([response.status, response.headers.get("allow")], [405, "POST"]);
  });

  test(`on ${name} a header sent twice is seen as twice`, async (t) => {
    const onEvent = () => assert.fail("onEvent was entered");
    const port = await listen(t, host({ secrets: SECRET, onEvent }));
    const { body, headers } = signTestRequest({ event: "ping", secret: SECRET });
    const socket = connect(port, "127.0.0.1");
    const signature = `X-Service-Signature: ${headers["X-Service-Signature"]}\r\n`;
    socket.write(
      `POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: ${body.length}\r\n`,
    );
    socket.write(`${signature}${signature}\r\n`);
    socket.end(body);
    const answer = await text(socket);
    assert.match(answer, /^HTTP\/1\.1 401 [^]*signature_malformed\n/);
  });

  test(`on ${name} a sender that goes away leaves no trace`, async (t) => {
    const { promise: finished, resolve } = Promise.withResolvers<void>();
    const handler =
      name === "Express" ? createExpressHandler(closedOptions) : createNodeHandler(closedOptions);
    const port = await listen(
      t,
      (request, response) => void handler(request, response).then(resolve),
    );
    const socket = connect(port, "127.0.0.1");
    socket.write("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\nhalf", () =>
      socket.destroy(),
    );
    await finished;
  });

  test(`on ${name} a stream that somebody has read is refused`, async (t) => {
    const handler = host({ secrets: SECRET, onEvent: () => assert.fail("onEvent was entered") });
    const port = await listen(t, (request, response) => {
      request.on("end", () => handler(request, response)).resume();
    });
    const { body, headers } = signTestRequest({ event: "ping", secret: SECRET });
    assert.deepEqual(await post(port, body, headers), [500, "raw_body_missing\n"]);
    assert.deepEqual(await post(port, new Uint8Array(), headers), [500, "raw_body_missing\n"]);
  });
}

const closedOptions: HandlerOptions = {
  secrets: SECRET,
  onEvent: () => assert.fail("onEvent was entered"),
  onRejected: ({ code }) => assert.fail(`rejected as ${code}`),
  onError: (error) => assert.fail(String(error)),
};

/** Reads the whole body and leaves what `toBody` makes of it, as a body parser does. */
function behindParser(options: HandlerOptions, toBody: (raw: Buffer) => unknown): RequestListener {
  const handler = createExpressHandler(options);
  return (request, response) => {
    const parse = async (): Promise<void> => {
      const raw = await buffer(request);
      const parsed: ExpressRequest = Object.assign(request, { body: toBody(raw) });
      await handler(parsed, response);
    };
    void parse();
  };
}

test("behind express.raw() the buffer is verified, within the limit", async (t) => {
  const { body, headers } = signTestRequest({ event: "ping", secret: SECRET });
  const onEvent = () => undefined;
  const port = await listen(
    t,
    behindParser({ secrets: SECRET, onEvent }, (raw) => raw),
  );
  assert.deepEqual(await post(port, body, headers), [204, ""]);
  const small = { secrets: SECRET, onEvent, maxBytes: 100 };
  const smallPort = await listen(
    t,
    behindParser(small, (raw) => raw),
  );
  assert.deepEqual(await post(smallPort, body, headers), [413, "request_body_too_large\n"]);
});

test("behind a JSON or text parser the request is refused with the reason", async (t) => {
  const { body, headers } = signTestRequest({ event: "ping", secret: SECRET });
  const parsers: ((raw: Buffer) => unknown)[] = [
    (raw) => JSON.parse(raw.toString()),
    (raw) => raw.toString(),
    () => ({}),
    () => undefined,
  ];
  for (const parser of parsers) {
    const onEvent = () => assert.fail("onEvent was entered");
    const port = await listen(t, behindParser({ secrets: SECRET, onEvent }, parser));
    assert.deepEqual(await post(port, body, headers), [500, "raw_body_missing\n"]);
  }
});

test("behind a parser that passed the request over, the stream is read", async (t) => {
  const handler = createExpressHandler({ secrets: SECRET, onEvent: () => undefined });
  const port = await listen(t, (request, response) => {
    void handler(Object.assign(request, { body: {} }), response);
  });
  const { body, headers } = signTestRequest({ event: "ping", secret: SECRET });
  assert.deepEqual(await post(port, body, headers), [204, ""]);
});

test("the headers for webhook-delivery reach the wire", async (t) => {
  const onEvent = () => ({ abort: true });
  const port = await listen(t, toListener(createNodeHandler({ secrets: SECRET, onEvent })));
  const request = signTestRequest({
    event: "ping",
    secret: SECRET,
    url: `http://127.0.0.1:${port}/`,
  });
  const response = await fetch(request.url, request);
  assert.deepEqual(
    [response.status, response.headers.get("webhook-delivery")],
    [422, "abort-message"],
  );
});
