import assert from "node:assert/strict";
import { test } from "node:test";

import type { SendResult } from "./send-result.ts";
import type { Sender } from "./sender.ts";
import { createAuthority } from "./testing/certificate.ts";
import { always, startRawReceiver } from "./testing/raw-receiver.ts";
import { mayWrite, postTo, testSender } from "./testing/test-sender.ts";
import { startThreadReceiver, type ThreadReceiver } from "./testing/thread-receiver.ts";

const authority = createAuthority("Trusted");
const certificate = authority.issue({ names: ["127.0.0.1"] });
const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/**
 * Sends from an immediate and stands still until that many replies were sent: they are read in the very turn in which
 * Node does not yet know that the request was written. `then` is called as soon as the result is there.
 */
function sendAndReplyAtOnce(
  sender: Sender,
  receiver: ThreadReceiver,
  replies: number,
  then: (result: SendResult) => void = () => {},
): Promise<SendResult> {
  return new Promise((resolve) => {
    setImmediate(() => {
      sender.start(postTo(receiver.url), {
        mayWrite,
        ended(result) {
          then(result);
          resolve(result);
        },
      });
      receiver.waitForReplies(replies);
    });
  });
}

/** A clock that stands: a connection that was idle for long, as on a busy machine, would be read before it is used. */
const now = (): number => 0;

async function connected(sender: Sender, receiver: ThreadReceiver): Promise<void> {
  assert.equal((await sender.send(postTo(receiver.url), mayWrite)).status, 200);
}

test("a TLS receiver that replies at once gets a hundred requests on one connection", async (t) => {
  const receiver = await startThreadReceiver(t, certificate, [[OK]]);
  const sender = testSender(t, { ca: authority.cert, now });
  await connected(sender, receiver);
  for (let count = 1; count < 100; count += 1) {
    const result = await sendAndReplyAtOnce(sender, receiver, count + 1);
    assert.equal(result.status, 200);
  }
  assert.equal(receiver.connections(), 1);
});

test("the next request of the same turn waits for that connection and dials none", async (t) => {
  const receiver = await startThreadReceiver(t, certificate, [[OK]]);
  const sender = testSender(t, { ca: authority.cert, now });
  await connected(sender, receiver);
  const next = Promise.withResolvers<SendResult>();
  await sendAndReplyAtOnce(sender, receiver, 2, () => {
    sender.start(postTo(receiver.url), { mayWrite, ended: next.resolve });
  });
  const result = await next.promise;
  assert.equal(result.status, 200);
  assert.equal(result.reusedConnection, true);
  assert.equal(receiver.connections(), 1);
});

test("a request that is written before that turn is over keeps its connection", async (t) => {
  const receiver = await startThreadReceiver(t, certificate, [[OK]]);
  const sender = testSender(t, { ca: authority.cert, now });
  await connected(sender, receiver);
  const next = Promise.withResolvers<SendResult>();
  const first = sendAndReplyAtOnce(sender, receiver, 2);
  // Runs after the write has been reported, and before the sender looks at the connection.
  setImmediate(() => {
    setImmediate(() => sender.start(postTo(receiver.url), { mayWrite, ended: next.resolve }));
  });
  assert.equal((await first).status, 200);
  const result = await next.promise;
  assert.equal(result.status, 200);
  assert.equal(result.reusedConnection, true);
  assert.equal(receiver.connections(), 1);
});

for (const [what, more] of [
  ["more bytes", "HTTP/1.1 410 Second\r\nContent-Length: 0\r\n\r\n"],
  ["an end", null],
] as const) {
  test(`${what} in that turn close the connection, and the next request is dialled`, async (t) => {
    const receiver = await startThreadReceiver(t, certificate, [[OK], [OK, more], [OK]]);
    const sender = testSender(t, { ca: authority.cert, now });
    await connected(sender, receiver);
    const next = Promise.withResolvers<SendResult>();
    const second = await sendAndReplyAtOnce(sender, receiver, 2, () => {
      sender.start(postTo(receiver.url), { mayWrite, ended: next.resolve });
    });
    assert.equal(second.reusedConnection, true);
    assert.equal(second.status, 200);
    assert.equal((await next.promise).reusedConnection, false);
    assert.equal((await next.promise).status, 200);
    assert.equal(receiver.connections(), 2);
  });
}

test("a sender that is closed in that turn keeps no socket", async (t) => {
  const receiver = await startThreadReceiver(t, certificate, [[OK]]);
  const sender = testSender(t, { ca: authority.cert, now });
  await connected(sender, receiver);
  const next = Promise.withResolvers<SendResult>();
  await sendAndReplyAtOnce(sender, receiver, 2, () => {
    sender.start(postTo(receiver.url), { mayWrite, ended: next.resolve });
    sender.close();
  });
  assert.equal((await next.promise).category, "stopped");
  await new Promise(setImmediate);
  assert.equal(sender.openSockets(), 0);
});

test("a TLS receiver that replies before it has read the request loses its connection", async (t) => {
  const receiver = await startRawReceiver(t, always(""), {
    tls: certificate,
    onConnection: (socket) => {
      socket.write("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n", () => socket.pause());
    },
  });
  const sender = testSender(t, { ca: authority.cert, now });
  const body = "x".repeat(20_000_000);
  const result = await sender.send(postTo(receiver.url, body), mayWrite);
  assert.equal(result.status, 413);
  await new Promise(setImmediate);
  assert.equal(sender.openSockets(), 0);
});
