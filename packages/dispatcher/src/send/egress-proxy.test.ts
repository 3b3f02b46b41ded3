import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { type TestContext, test } from "node:test";

import { NO_IPV6 } from "@markethook/protocol/testing";

import { parseAllowList } from "../guard/allow-list.ts";
import { createAuthority } from "./testing/certificate.ts";
import { startConnectProxy } from "./testing/connect-proxy.ts";
import { always, ok, startRawReceiver } from "./testing/raw-receiver.ts";
import { LIMIT_MS, mayWrite, postTo, testSender } from "./testing/test-sender.ts";

const resolver = { resolve: async () => ["127.0.0.1"] };

function through(port: number, authorization: string | null = null) {
  return { resolver, egressProxy: { host: "proxy.market.example", port, authorization } };
}

test("a request goes through the proxy to the judged address, and the connection is kept", async (t) => {
  const receiver = await startRawReceiver(t, always(ok()));
  const proxy = await startConnectProxy(t);
  const sender = testSender(t, through(proxy.port, "Basic bmFtZTpwYXNz"));
  const url = `http://shop.example.com:${receiver.port}/`;
  const result = await sender.send(postTo(url), mayWrite);
  assert.deepEqual([result.status, result.address], [200, "127.0.0.1"]);
  assert.equal((await sender.send(postTo(url), mayWrite)).reusedConnection, true);
  const authority = `127.0.0.1:${receiver.port}`;
  assert.deepEqual(proxy.heads, [
    `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\nProxy-Authorization: Basic bmFtZTpwYXNz\r\n\r\n`,
  ]);
  assert.match(receiver.requests[0] ?? "", /^Host: shop\.example\.com:/m);
});

test("an IPv6 address is asked for in brackets", { skip: NO_IPV6 }, async (t) => {
  const receiver = await startRawReceiver(t, always(ok()), { host: "::1" });
  const proxy = await startConnectProxy(t);
  const result = await testSender(t, through(proxy.port)).send(postTo(receiver.url), mayWrite);
  assert.equal(result.status, 200);
  assert.match(proxy.heads[0] ?? "", /^CONNECT \[::1\]:\d+ HTTP/);
});

test("TLS goes through the tunnel to the name in the URL, and its certificate is checked", async (t) => {
  const authority = createAuthority("Trusted");
  const proxy = await startConnectProxy(t);
  const sender = testSender(t, { ...through(proxy.port), ca: authority.cert });
  for (const [name, status, category] of [
    ["shop.example.com", 200, null],
    ["other.example.com", null, "tls_name_mismatch"],
  ] as const) {
    const tls = authority.issue({ names: [name] });
    const receiver = await startRawReceiver(t, always(ok()), { tls });
    const url = `https://shop.example.com:${receiver.port}/`;
    const result = await sender.send(postTo(url), mayWrite);
    assert.deepEqual([result.status, result.category], [status, category]);
  }
});

test("the guard decides before the proxy is asked", async (t) => {
  const proxy = await startConnectProxy(t);
  for (const address of ["10.0.0.1", "169.254.169.254", "::1"]) {
    const sender = testSender(t, {
      ...through(proxy.port),
      resolver: { resolve: async (host) => [host.startsWith("proxy") ? "127.0.0.1" : address] },
      allow: parseAllowList(""),
    });
    const result = await sender.send(postTo("http://shop.example.com/"), mayWrite);
    assert.equal(result.category, "blocked");
  }
  assert.deepEqual(proxy.heads, []);
});

test("whatever is wrong at the proxy is no connection to the owner, and told to operators", async (t) => {
  const cases: [answer: (socket: Socket) => void, detail: RegExp][] = [
    [(socket) => socket.end("HTTP/1.1 407 Who are you\r\n\r\n"), /egress proxy: it answered 407/],
    [(socket) => socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"), /egress proxy: it answered 502/],
    [(socket) => socket.end("hello\r\n\r\n"), /not HTTP/],
    [(socket) => socket.end(), /egress proxy: closed/],
    [(socket) => socket.write(`HTTP/1.1 200 OK\r\nX: ${"x".repeat(20_000)}`), /no end/],
    [(socket) => socket.write("HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"), /more than/],
  ];
  for (const [answer, detail] of cases) await fails(t, answer, detail);
  const sender = testSender(t, through(1, "Basic c2VjcmV0"));
  const refused = await sender.send(postTo("http://shop.example.com/"), mayWrite);
  assert.equal(refused.category, "connection_failed");
  assert.match(refused.detail ?? "", /^egress proxy: .*ECONNREFUSED/);
  assert.equal(refused.detail?.includes("c2VjcmV0"), false);
});

async function fails(
  t: TestContext,
  answer: (socket: Socket) => void,
  detail: RegExp,
): Promise<void> {
  const proxy = await startConnectProxy(t, answer);
  const sender = testSender(t, through(proxy.port));
  const result = await sender.send(postTo("http://shop.example.com/"), mayWrite);
  assert.deepEqual([result.category, result.sent], ["connection_failed", false]);
  assert.match(result.detail ?? "", detail);
  assert.equal(sender.openSockets(), 0);
}

test("a proxy that says nothing does not outlast the attempt", async (t) => {
  const proxy = await startConnectProxy(t, () => {});
  const sender = testSender(t, { ...through(proxy.port), attemptTimeoutMs: 60 });
  const result = await sender.send(postTo("http://shop.example.com/"), mayWrite);
  assert.equal(result.category, "timeout");
  assert.equal(sender.openSockets(), 0);
});

test("a proxy whose name is found only after the attempt's end is not connected to for it", async (t) => {
  const receiver = await startRawReceiver(t, always(ok()));
  const proxy = await startConnectProxy(t);
  const found = Promise.withResolvers<string[]>();
  let later = 0;
  const sender = testSender(t, {
    ...through(proxy.port),
    now: () => performance.now() + later,
    attemptTimeoutMs: LIMIT_MS,
    resolver: {
      resolve: (host) => (host.startsWith("proxy") ? found.promise : resolver.resolve()),
    },
  });
  const url = `http://shop.example.com:${receiver.port}/`;
  const late = sender.send(postTo(url), mayWrite);
  later = LIMIT_MS;
  assert.equal((await late).category, "timeout");
  found.resolve(["127.0.0.1"]);
  assert.equal((await sender.send(postTo(url), mayWrite)).status, 200);
  assert.equal(proxy.heads.length, 1);
});
