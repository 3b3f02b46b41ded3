import assert from "node:assert/strict";
import { test } from "node:test";

import { requestText } from "@markethook/protocol";
import { freePort, NO_IPV6, ONE_LOOPBACK_ADDRESS } from "@markethook/protocol/testing";

import { parseAllowList } from "../guard/allow-list.ts";
import { ResolveError } from "../guard/resolver.ts";
import { always, ok, startRawReceiver } from "./testing/raw-receiver.ts";
import { IN_THREADS, mayWrite, postTo, testSender } from "./testing/test-sender.ts";

test("the bytes on the wire are those of requestText, and the answer comes back whole", async (t) => {
  const receiver = await startRawReceiver(
    t,
    always("HTTP/1.1 202 Accepted\r\nX-Note: caf\xe9\r\nContent-Length: 4\r\n\r\n\x00\x01\xfe\xff"),
  );
  const sender = testSender(t);
  const request = postTo(receiver.url, '{"title":"Grüße ✓"}');
  const result = await sender.send(request, mayWrite);
  assert.deepEqual(receiver.requests, [requestText(request)]);
  assert.equal(result.status, 202);
  assert.equal(result.category, null);
  assert.equal(result.sent, true);
  assert.equal(result.reusedConnection, false);
  assert.equal(result.address, "127.0.0.1");
  assert.deepEqual(result.headers[1], ["Content-Length", "4"]);
  assert.equal(result.timings.dnsMs, null);
  for (const ms of [result.timings.connectMs, result.timings.firstByteMs, result.timings.totalMs]) {
    assert.ok(ms !== null && ms >= 0);
  }
});

test("an IPv6 receiver is reached", { skip: NO_IPV6 }, async (t) => {
  const receiver = await startRawReceiver(t, always(ok()), { host: "::1" });
  const result = await testSender(t).send(postTo(receiver.url), mayWrite);
  assert.equal(result.status, 200);
});

test("a name is resolved, its addresses tried in turn, and its own name sent as Host", async (t) => {
  const receiver = await startRawReceiver(t, always(ok()));
  // Nothing listens at the first address.
  const resolver = { resolve: async () => ["127.0.0.2", "127.0.0.1"] };
  const sender = testSender(t, { resolver });
  const result = await sender.send(postTo(`http://shop.example.com:${receiver.port}/`), mayWrite);
  assert.equal(result.status, 200);
  assert.ok(result.timings.dnsMs !== null);
  assert.match(
    receiver.requests[0] ?? "",
    new RegExp(`^Host: shop.example.com:${receiver.port}\r$`, "m"),
  );
});

test(
  "when no address answers, the first one's fault counts and all are told to operators",
  { skip: ONE_LOOPBACK_ADDRESS },
  async (t) => {
    const receiver = await startRawReceiver(t, always(ok()));
    const resolver = { resolve: async () => ["127.0.0.2", "127.0.0.3"] };
    const sender = testSender(t, { resolver });
    const url = `http://shop.example.com:${receiver.port}/`;
    const result = await sender.send(postTo(url), mayWrite);
    assert.equal(result.category, "connection_refused");
    assert.match(result.detail ?? "", /127\.0\.0\.2.*127\.0\.0\.3/);
    assert.equal(sender.openSockets(), 0);
  },
);

test("a request longer than the socket takes at once arrives whole", async (t) => {
  const receiver = await startRawReceiver(t, always(ok()));
  const body = JSON.stringify("x".repeat(4_000_000));
  const result = await testSender(t).send(postTo(receiver.url, body), mayWrite);
  assert.equal(result.status, 200);
  assert.equal(receiver.requests[0]?.endsWith(body), true);
});

test("a name with one forbidden answer is refused as a whole, and no packet leaves", async (t) => {
  const receiver = await startRawReceiver(t, always(ok()));
  for (const answers of [["127.0.0.1", "10.0.0.1"], ["10.0.0.1"], ["::ffff:10.0.0.1"], []]) {
    const sender = testSender(t, { resolver: { resolve: async () => answers } });
    const result = await sender.send(postTo(`http://shop.example.com:${receiver.port}/`), mayWrite);
    assert.equal(result.category, "blocked");
    assert.equal(result.sent, false);
    assert.equal(sender.openSockets(), 0);
  }
  assert.equal(receiver.sockets.length, 0);
});

test("a name that leads elsewhere on its second query is refused at the second dial", async (t) => {
  const receiver = await startRawReceiver(t, (socket) => socket.end(ok()));
  const answers = [["127.0.0.1"], ["169.254.169.254"], ["127.0.0.1"]];
  const sender = testSender(t, { resolver: { resolve: async () => answers.shift() ?? [] } });
  const url = `http://shop.example.com:${receiver.port}/`;
  assert.equal((await sender.send(postTo(url), mayWrite)).category, null);
  await receiver.closed(1);
  assert.equal((await sender.send(postTo(url), mayWrite)).category, "blocked");
  assert.equal((await sender.send(postTo(url), mayWrite)).category, null);
});

test("literal addresses and ports are judged too", async (t) => {
  const sender = testSender(t, {
    allow: parseAllowList("127.0.0.1:1"),
    blockedPorts: new Set([25]),
  });
  for (const url of [
    "http://127.0.0.1/",
    "http://10.0.0.1/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://0x7f.1/",
    "http://localhost/",
    "http://shop.example.com:25/",
    "ftp://127.0.0.1/",
  ]) {
    const result = await sender.send(postTo(url), mayWrite);
    assert.equal(result.category, "blocked", url);
    assert.equal(result.sent, false);
  }
});

test("a failing name server is a DNS failure", async (t) => {
  const resolver = { resolve: () => Promise.reject(new ResolveError("ENOTFOUND")) };
  const result = await testSender(t, { resolver }).send(
    postTo("http://shop.example.com/"),
    mayWrite,
  );
  assert.equal(result.category, "dns_failure");
  assert.equal(result.sent, false);
});

test("a silent name server is cut off at the deadline", async (t) => {
  const resolver = { resolve: () => new Promise<string[]>(() => {}) };
  const sender = testSender(t, { resolver, attemptTimeoutMs: 60 });
  const keepAlive = setInterval(() => {}, 1000);
  t.after(() => clearInterval(keepAlive));
  const result = await sender.send(postTo("http://shop.example.com/"), mayWrite);
  assert.equal(result.category, "timeout");
  assert.equal(result.sent, false);
});

test("a refused connection is told apart", async (t) => {
  const sender = testSender(t);
  const result = await sender.send(postTo(`http://127.0.0.1:${await freePort()}/`), mayWrite);
  assert.equal(result.category, "connection_refused");
  assert.equal(result.sent, false);
  assert.equal(sender.openSockets(), 0);
});

/** A thread reads shared memory instead of asking; `threads/threaded-sender.test.ts` has what holds there. */
const asks = { skip: IN_THREADS };

test(
  "mayWrite is asked after the dial, and its no sends nothing but keeps the connection",
  asks,
  async (t) => {
    let accepted = 0;
    const receiver = await startRawReceiver(t, always(ok()), {
      onConnection: () => {
        accepted += 1;
      },
    });
    const sender = testSender(t);
    let asked = 0;
    const refused = await sender.send(postTo(receiver.url), () => {
      asked += 1;
      return false;
    });
    assert.equal(refused.category, "lease_lost");
    assert.equal(refused.sent, false);
    assert.equal(asked, 1);
    assert.equal(sender.openSockets(), 1);
    const throwing = await sender.send(postTo(receiver.url), () => {
      throw new Error("broken");
    });
    assert.equal(throwing.category, "lease_lost");
    assert.equal((await sender.send(postTo(receiver.url), mayWrite)).status, 200);
    assert.equal(accepted, 1);
    assert.equal(receiver.requests.length, 1);
  },
);

test("close ends what is open as stopped, and what comes later too", async (t) => {
  const receiver = await startRawReceiver(t, () => {});
  const sender = testSender(t);
  const open = sender.send(postTo(receiver.url), mayWrite);
  await receiver.arrived(1);
  sender.close();
  assert.deepEqual(await open.then(({ category, sent, status }) => ({ category, sent, status })), {
    category: "stopped",
    sent: true,
    status: null,
  });
  const later = await sender.send(postTo(receiver.url), mayWrite);
  assert.equal(later.category, "stopped");
  assert.equal(later.sent, false);
  assert.equal(sender.openSockets(), 0);
  await receiver.closed(1);
});

test(
  "close while a connection is being made ends the exchange before its mayWrite is asked",
  asks,
  async (t) => {
    const receiver = await startRawReceiver(t, always(ok()));
    const sender = testSender(t);
    const open = sender.send(postTo(receiver.url), () => assert.fail("asked"));
    sender.close();
    assert.equal((await open).category, "stopped");
    assert.equal((await open).sent, false);
  },
);
