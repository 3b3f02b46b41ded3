import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { always, ok, startRawReceiver } from "./testing/raw-receiver.ts";
import { IN_THREADS, LIMIT_MS, mayWrite, postTo, testSender } from "./testing/test-sender.ts";

const HEAD = "HTTP/1.1 200 OK\r\n";

/** Writes as fast as the other side reads, until it hangs up. */
function flood(socket: Socket, piece: string, first = ""): void {
  const block = piece.repeat(Math.ceil(16_384 / piece.length));
  const pour = (): void => {
    while (!socket.destroyed && socket.write(block));
  };
  socket.on("drain", pour);
  socket.write(first);
  pour();
}

/** The sender's clock, which the test sets. A thread has its own: there the limit passes in real time. */
class Clock {
  now = 0;
  readonly options = IN_THREADS ? {} : { now: () => this.now };
}

/** One byte at a time, for ever. */
function drip(socket: Socket, text: string, first = "", dripped = (): void => {}): void {
  let at = 0;
  socket.write(first);
  const timer = setInterval(() => {
    socket.write(text.charAt(at % text.length), dripped);
    at += 1;
  }, 5);
  socket.on("close", () => clearInterval(timer));
}

test("R1: a receiver that accepts and closes, or resets, is told apart by how it did", async (t) => {
  const cases: [(socket: Socket) => void, string, number | null][] = [
    [(socket) => socket.end(), "connection_closed", null],
    [(socket) => socket.resetAndDestroy(), "connection_reset", null],
    [(socket) => socket.end("HTTP/1.1 200 OK\r\nX"), "connection_closed", null],
    [(socket) => socket.end(`${HEAD}Content-Length: 10\r\n\r\nshort`), "connection_closed", 200],
    [
      (socket) => {
        socket.write(`${HEAD}Content-Length: 10\r\n\r\nshort`, () => {
          setImmediate(() => socket.resetAndDestroy());
        });
      },
      "connection_reset",
      200,
    ],
  ];
  for (const [answer, category, status] of cases) {
    const receiver = await startRawReceiver(t, answer);
    const sender = testSender(t);
    const result = await sender.send(postTo(receiver.url), mayWrite);
    assert.equal(result.category, category);
    assert.equal(result.status, status);
    assert.equal(result.sent, true);
    assert.equal(sender.openSockets(), 0);
  }
});

test("R2: silence and drips are cut at the deadline, whatever arrives meanwhile", async (t) => {
  const drips: [text: string, first: string][] = [
    ["abcdefghij", HEAD],
    ["x", `${HEAD}Content-Length: 100000\r\n\r\n`],
    ["1\r\nx\r\n", `${HEAD}Transfer-Encoding: chunked\r\n\r\n`],
    ["x", `${HEAD}\r\n`],
  ];
  const attempt = async (answer: (socket: Socket, dripped: () => void) => void, some: number) => {
    let dripped = 0;
    let wake = (): void => {};
    const receiver = await startRawReceiver(t, (socket) => {
      answer(socket, () => {
        dripped += 1;
        wake();
      });
    });
    const clock = new Clock();
    const sender = testSender(t, { ...clock.options, attemptTimeoutMs: LIMIT_MS });
    const sending = sender.send(postTo(receiver.url), mayWrite);
    await receiver.arrived(1);
    // They go on: a deadline that each of them put off would not come at its time.
    clock.now = LIMIT_MS - 1000;
    const until = dripped + some;
    while (dripped < until) await new Promise<void>((resolve) => (wake = resolve));
    clock.now = LIMIT_MS;
    const result = await sending;
    assert.equal(result.category, "timeout");
    assert.equal(result.sent, true);
    assert.ok(result.timings.totalMs >= LIMIT_MS);
    assert.equal(sender.openSockets(), 0);
    await receiver.closed(1);
  };
  await Promise.all([
    attempt(() => {}, 0),
    ...drips.map(([text, first]) =>
      attempt((socket, dripped) => drip(socket, text, first, dripped), 20),
    ),
  ]);
});

test("R3: redirects are answers and are not followed", async (t) => {
  const tripwire = await startRawReceiver(t, always(ok()));
  for (const status of [300, 301, 302, 303, 304, 305, 307, 308]) {
    const receiver = await startRawReceiver(
      t,
      always(`HTTP/1.1 ${status} Go\r\nLocation: ${tripwire.url}\r\nContent-Length: 0\r\n\r\n`),
    );
    const result = await testSender(t).send(postTo(receiver.url), mayWrite);
    assert.equal(result.status, status);
    assert.equal(result.category, null);
  }
  assert.equal(tripwire.sockets.length, 0);
});

test("R4: a flood of interim responses is cut after eight, and an upgrade is no answer", async (t) => {
  for (const interim of [
    "HTTP/1.1 100 Continue\r\n\r\n",
    "HTTP/1.1 102 Processing\r\n\r\n",
    "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n",
  ]) {
    const receiver = await startRawReceiver(t, (socket) => flood(socket, interim));
    const result = await testSender(t).send(postTo(receiver.url), mayWrite);
    assert.equal(result.category, "too_many_interim_responses");
    await receiver.closed(1);
  }
  const upgrade = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n";
  const receiver = await startRawReceiver(t, always(upgrade));
  const result = await testSender(t).send(postTo(receiver.url), mayWrite);
  assert.equal(result.category, "invalid_response");
});

test("R5: at 64 KiB the socket is destroyed; the status decides once the head was complete", async (t) => {
  const cases: [string, string, string | null][] = [
    ["x", `${HEAD}\r\n`, null],
    ["x", `${HEAD}Content-Length: 10000000000\r\n\r\n`, null],
    ["x", `${HEAD}Transfer-Encoding: chunked\r\n\r\n5;`, null],
    ["X: y\r\n", `${HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\n`, null],
    ["1\r\nx\r\n", `${HEAD}Transfer-Encoding: chunked\r\n\r\n`, null],
    ["x", `${HEAD}X: `, "response_headers_too_large"],
    ["X: y\r\n", HEAD, "response_headers_too_large"],
  ];
  for (const [piece, first, category] of cases) {
    const receiver = await startRawReceiver(t, (socket) => flood(socket, piece, first));
    const sender = testSender(t);
    const result = await sender.send(postTo(receiver.url), mayWrite);
    assert.equal(result.category, category, first);
    assert.equal(result.status, category === null ? 200 : null);
    assert.equal(result.bodyTruncated, category === null);
    assert.ok(result.body.length <= 16_384);
    assert.equal(sender.openSockets(), 0);
    await receiver.closed(1);
  }
});

test("R5: what was cut is reset, so that a flood cannot go on filling buffers", async (t) => {
  const codes: unknown[] = [];
  const receiver = await startRawReceiver(t, (socket) => flood(socket, "x", `${HEAD}\r\n`), {
    onConnection: (socket) => {
      socket.on("error", (error) => codes.push("code" in error ? error.code : error));
    },
  });
  await testSender(t).send(postTo(receiver.url), mayWrite);
  await receiver.closed(1);
  assert.ok(codes[0] === "ECONNRESET" || codes[0] === "EPIPE", String(codes[0]));
});

test("R5: eight interim responses cannot be made large enough to pass 64 KiB", async (t) => {
  const interim = `HTTP/1.1 103 Early Hints\r\nLink: ${"x".repeat(16_000)}\r\n\r\n`;
  const receiver = await startRawReceiver(t, (socket) => socket.write(interim.repeat(8)));
  const result = await testSender(t).send(postTo(receiver.url), mayWrite);
  assert.equal(result.category, "response_headers_too_large");
});

test("R6: compressed answers are kept as they came", async (t) => {
  const bomb = gzipSync(gzipSync(Buffer.alloc(1_000_000)));
  const head = `${HEAD}Content-Encoding: gzip, gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`;
  const receiver = await startRawReceiver(t, always(Buffer.concat([Buffer.from(head), bomb])));
  const result = await testSender(t).send(postTo(receiver.url), mayWrite);
  assert.equal(result.category, null);
  assert.deepEqual(result.body, bomb);
});

test("R7: too many or too long headers are a failure of their own", async (t) => {
  for (const headers of ["a: b\r\n".repeat(2400), `X: ${"y".repeat(20_000)}\r\n`]) {
    const receiver = await startRawReceiver(t, always(`${HEAD}${headers}\r\n`));
    const result = await testSender(t).send(postTo(receiver.url), mayWrite);
    assert.equal(result.category, "response_headers_too_large");
    assert.equal(result.status, null);
    assert.deepEqual(result.headers, []);
  }
});

test("R8: what is not HTTP/1.x ends at once, without waiting for the deadline", async (t) => {
  for (const answer of [
    "hello\n",
    "SSH-2.0-x\r\n",
    `${HEAD}X: y\n`,
    "HTTP/1.1 999999 No\r\n\r\n",
  ]) {
    const receiver = await startRawReceiver(t, always(answer));
    const sender = testSender(t);
    const result = await sender.send(postTo(receiver.url), mayWrite);
    assert.equal(result.category, "invalid_response", answer);
    assert.equal(sender.openSockets(), 0);
  }
});

test("a receiver that answers before it has read the request counts, but loses its connection", async (t) => {
  const receiver = await startRawReceiver(t, () => {}, {
    onConnection: (socket) => {
      socket.pause();
      socket.write("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n");
    },
  });
  const sender = testSender(t);
  const body = "x".repeat(20_000_000);
  const result = await sender.send(postTo(receiver.url, body), mayWrite);
  assert.equal(result.status, 413);
  assert.equal(result.category, null);
  assert.equal(sender.openSockets(), 0);
});

test("R14: healthy receivers are answered while hostile ones are held open", async (t) => {
  const healthy = await startRawReceiver(t, always(ok()));
  const hostile = await startRawReceiver(t, (socket) => {
    drip(socket, "x", `${HEAD}Content-Length: 60000\r\n\r\n`);
  });
  const clock = new Clock();
  const sender = testSender(t, { ...clock.options, attemptTimeoutMs: LIMIT_MS });
  const bad = Array.from({ length: 30 }, () => sender.send(postTo(hostile.url), mayWrite));
  await hostile.arrived(30);
  for (let count = 0; count < 50; count += 1) {
    const result = await sender.send(postTo(healthy.url), mayWrite);
    assert.equal(result.status, 200);
  }
  clock.now = LIMIT_MS;
  for (const result of await Promise.all(bad)) assert.equal(result.category, "timeout");
});
