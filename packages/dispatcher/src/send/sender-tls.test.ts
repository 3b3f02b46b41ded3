import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { connect, createServer } from "node:net";
import { test, type TestContext } from "node:test";
import type { TLSSocket } from "node:tls";

import { listenOnLoopback, ONE_LOOPBACK_ADDRESS } from "@markethook/protocol/testing";

import { createAuthority, type Certificate } from "./testing/certificate.ts";
import { always, ok, type RawReceiver, startRawReceiver } from "./testing/raw-receiver.ts";
import { mayWrite, postTo, testSender } from "./testing/test-sender.ts";

const authority = createAuthority("Trusted");
const stranger = createAuthority("Stranger");
const good = authority.issue({ names: ["shop.example.com", "127.0.0.1"] });
const resolver = { resolve: async () => ["127.0.0.1"] };

function secureReceiver(
  t: TestContext,
  certificate: Certificate,
  answer = always(ok()),
): Promise<RawReceiver> {
  return startRawReceiver(t, answer, { tls: { ...certificate, ALPNProtocols: ["http/1.1"] } });
}

test("a certificate for the name is accepted, the name sent as SNI and HTTP/1.1 agreed on", async (t) => {
  const receiver = await secureReceiver(t, good);
  const sender = testSender(t, { ca: authority.cert, resolver });
  const url = `https://shop.example.com:${receiver.port}/`;
  const result = await sender.send(postTo(url), mayWrite);
  assert.equal(result.detail, null);
  assert.equal(result.status, 200);
  assert.ok(result.timings.tlsMs !== null && result.timings.tlsMs > 0);
  const socket = receiver.sockets[0] as TLSSocket;
  assert.equal(socket.servername, "shop.example.com");
  assert.equal(socket.alpnProtocol, "http/1.1");
  assert.equal((await sender.send(postTo(url), mayWrite)).reusedConnection, true);
});

test("a certificate for an address is accepted for that address", async (t) => {
  const receiver = await secureReceiver(t, good);
  const sender = testSender(t, { ca: authority.cert });
  const result = await sender.send(postTo(receiver.url), mayWrite);
  assert.equal(result.status, 200);
});

test("a second connection resumes the first one's session", async (t) => {
  const receiver = await secureReceiver(
    t,
    good,
    always("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"),
  );
  const sender = testSender(t, { ca: authority.cert, resolver });
  const url = `https://shop.example.com:${receiver.port}/`;
  for (const expected of [false, true]) {
    assert.equal((await sender.send(postTo(url), mayWrite)).status, 200);
    assert.equal((receiver.sockets.at(-1) as TLSSocket).isSessionReused(), expected);
  }
});

test(
  "a certificate that has become bad is refused with a session too, and the next attempt says why",
  { skip: ONE_LOOPBACK_ADDRESS },
  async (t) => {
    const closing = always("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    const before = await secureReceiver(t, good, closing);
    const tls = authority.issue({ names: ["other.example.com"] });
    const after = await startRawReceiver(t, closing, { host: "127.0.0.2", port: before.port, tls });
    let address = "127.0.0.1";
    const sender = testSender(t, {
      ca: authority.cert,
      resolver: { resolve: async () => [address] },
    });
    const send = async () =>
      await sender.send(postTo(`https://shop.example.com:${before.port}/`), mayWrite);
    assert.equal((await send()).status, 200);
    address = "127.0.0.2";
    for (const names of [undefined, "other.example.com"]) {
      const { category, sent, certificate } = await send();
      assert.deepEqual([category, sent, certificate?.names], ["tls_name_mismatch", false, names]);
    }
    assert.equal(after.requests.length, 0);
    address = "127.0.0.1";
    assert.equal((await send()).status, 200);
  },
);

test("a receiver that is connected to often shows its certificate again after an hour", async (t) => {
  const closing = always("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  const receiver = await secureReceiver(t, good, closing);
  let minutes = 0;
  const sender = testSender(t, {
    ca: authority.cert,
    resolver,
    now: () => performance.now() + minutes * 60_000,
  });
  const resumed: boolean[] = [];
  for (minutes of [0, 25, 50, 75, 100]) {
    await sender.send(postTo(`https://shop.example.com:${receiver.port}/`), mayWrite);
    resumed.push((receiver.sockets.at(-1) as TLSSocket).isSessionReused());
  }
  assert.deepEqual(resumed, [false, true, true, false, true]);
});

test("sessions are kept as memory allows, the ones used last", async (t) => {
  const closing = always("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  const names = ["a.example.com", "b.example.com", "c.example.com"];
  const receiver = await secureReceiver(t, authority.issue({ names }), closing);
  const resumed = async (tlsSessionBytes: number): Promise<boolean[]> => {
    const sender = testSender(t, { ca: authority.cert, resolver, tlsSessionBytes });
    const seen: boolean[] = [];
    for (const name of [...names, ...names.toReversed()]) {
      const result = await sender.send(postTo(`https://${name}:${receiver.port}/`), mayWrite);
      assert.equal(result.status, 200);
      seen.push((receiver.sockets.at(-1) as TLSSocket).isSessionReused());
    }
    return seen.slice(names.length);
  };
  assert.deepEqual(await resumed(1_000_000), [true, true, true]);
  // Room for two of them: one takes 1.1 kB.
  assert.deepEqual(await resumed(3000), [true, true, false]);
});

test("the key exchange is hybrid by default, and as the curves say where they are set", async (t) => {
  const hybrid = await startRawReceiver(t, always(ok()), {
    tls: { ...good, ecdhCurve: "X25519MLKEM768", minVersion: "TLSv1.3" },
  });
  const classic = await startRawReceiver(t, always(ok()), {
    tls: { ...good, ecdhCurve: "X25519", minVersion: "TLSv1.3" },
  });
  const outcome = async (port: number, tlsCurves: string | null) => {
    const sender = testSender(t, { ca: authority.cert, resolver, tlsCurves });
    const result = await sender.send(postTo(`https://shop.example.com:${port}/`), mayWrite);
    return result.status ?? result.category;
  };
  assert.equal(await outcome(hybrid.port, null), 200);
  assert.equal(await outcome(hybrid.port, "X25519:P-256"), "tls_failure");
  assert.equal(await outcome(classic.port, "X25519:P-256"), 200);
  assert.equal(await outcome(classic.port, null), 200);
});

/** Of a first message: the groups that are offered, and those with a key share, as numbers of TLS. */
function groupsIn(hello: Buffer): { offered: number[]; shared: number[] } {
  const found = { offered: [] as number[], shared: [] as number[] };
  let at = 38 + 1 + (hello[38] ?? 0);
  at += 2 + hello.readUInt16BE(at);
  at += 1 + (hello[at] ?? 0) + 2;
  while (at < hello.length) {
    const [kind, size] = [hello.readUInt16BE(at), hello.readUInt16BE(at + 2)];
    const body = hello.subarray(at + 4, at + 4 + size);
    if (kind === 10) for (let i = 2; i < size; i += 2) found.offered.push(body.readUInt16BE(i));
    if (kind === 51) {
      for (let i = 2; i < size; i += 4 + body.readUInt16BE(i + 2)) {
        found.shared.push(body.readUInt16BE(i));
      }
    }
    at += 4 + size;
  }
  return found;
}

const [P256, X25519, X25519MLKEM768] = [0x0017, 0x001d, 0x11ec];

test("a receiver is sent a key share for the group that it chose before, and offered the same groups", async (t) => {
  const closing = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
  const hellos: Buffer[] = [];
  const chosen = async (ecdhCurve: string, minVersion: "TLSv1.2" | "TLSv1.3", times: number) => {
    const tls = { ...good, ecdhCurve, minVersion, maxVersion: minVersion };
    const receiver = await startRawReceiver(t, always(closing), { tls });
    const between = createServer((socket) => {
      const onward = connect(receiver.port, "127.0.0.1");
      socket.once("data", (hello: Buffer) => hellos.push(hello.subarray(5)));
      socket.on("error", () => onward.destroy()).pipe(onward);
      onward.on("error", () => socket.destroy()).pipe(socket);
    });
    const port = await listenOnLoopback(between);
    t.after(() => between.close());
    const sender = testSender(t, { ca: authority.cert, resolver });
    for (let count = 0; count < times; count += 1) {
      const result = await sender.send(postTo(`https://shop.example.com:${port}/`), mayWrite);
      assert.equal(result.status, 200, result.detail ?? "");
    }
    assert.equal((receiver.sockets.at(-1) as TLSSocket).isSessionReused(), true);
    const [first, ...later] = hellos.splice(0).map(groupsIn);
    for (const { offered } of later) assert.deepEqual(offered, first?.offered);
    return [first?.shared, ...later.map(({ shared }) => shared)];
  };
  const both = [X25519MLKEM768, X25519];
  const hybrid = await chosen("X25519MLKEM768:X25519", "TLSv1.3", 3);
  assert.deepEqual(hybrid, [both, [X25519MLKEM768], [X25519MLKEM768]]);
  assert.deepEqual(await chosen("X25519:P-256", "TLSv1.3", 2), [both, [X25519]]);
  assert.deepEqual(await chosen("P-256", "TLSv1.3", 2), [both, [P256]]);
  assert.deepEqual(await chosen("P-256", "TLSv1.2", 2), [both, [P256]]);
});

test("R9: each fault of a certificate has its category, and nothing is sent", async (t) => {
  const day = 86_400_000;
  const cases: [Certificate, string][] = [
    [stranger.issue({ names: ["shop.example.com"] }), "tls_certificate_untrusted"],
    [
      authority.issue({
        names: ["shop.example.com"],
        validFrom: new Date(Date.now() - 2 * day),
        validTo: new Date(Date.now() - day),
      }),
      "tls_certificate_expired",
    ],
    [
      authority.issue({
        names: ["shop.example.com"],
        validFrom: new Date(Date.now() + day / 2),
        validTo: new Date(Date.now() + day),
      }),
      "tls_certificate_untrusted",
    ],
    [authority.issue({ names: ["other.example.com"] }), "tls_name_mismatch"],
  ];
  for (const [certificate, category] of cases) {
    const receiver = await secureReceiver(t, certificate);
    const sender = testSender(t, { ca: authority.cert, resolver });
    const url = `https://shop.example.com:${receiver.port}/`;
    const result = await sender.send(postTo(url), mayWrite);
    assert.equal(result.category, category, result.detail ?? "");
    const { validTo } = new X509Certificate(certificate.cert);
    assert.deepEqual(
      [result.certificate?.issuer, result.certificate?.validTo],
      [certificate === cases[0]?.[0] ? "Stranger" : "Trusted", new Date(validTo).toISOString()],
    );
    assert.match(result.certificate?.names ?? "", /^(shop|other)\.example\.com$/);
    assert.equal(result.sent, false);
    assert.equal(sender.openSockets(), 0);
    assert.deepEqual(receiver.requests, []);
  }
});

test("R9: certificates of the system's authorities are needed where no other one is set", async (t) => {
  const receiver = await secureReceiver(t, good);
  const result = await testSender(t).send(postTo(receiver.url), mayWrite);
  assert.equal(result.category, "tls_certificate_untrusted");
});

test("R9: old versions, no TLS at all, and hanging up are TLS failures", async (t) => {
  const old = await startRawReceiver(t, always(ok()), {
    tls: { ...good, minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "ALL:@SECLEVEL=0" },
  });
  const plain = await startRawReceiver(t, () => {}, {
    onConnection: (socket) => socket.write("HTTP/1.1 400 Plain\r\n\r\n"),
  });
  const closing = await startRawReceiver(t, () => {}, { onConnection: (socket) => socket.end() });
  for (const { port } of [old, plain, closing]) {
    const sender = testSender(t, { ca: authority.cert, resolver });
    const result = await sender.send(postTo(`https://shop.example.com:${port}/`), mayWrite);
    assert.equal(result.category, "tls_failure", result.detail ?? "");
    assert.equal(result.sent, false);
    assert.equal(sender.openSockets(), 0);
  }
});

test("R9: a handshake that stalls is cut at the deadline", async (t) => {
  const receiver = await startRawReceiver(t, () => {});
  const sender = testSender(t, { ca: authority.cert, resolver, attemptTimeoutMs: 150 });
  const url = `https://shop.example.com:${receiver.port}/`;
  const result = await sender.send(postTo(url), mayWrite);
  assert.equal(result.category, "timeout");
  assert.equal(result.sent, false);
  assert.equal(sender.openSockets(), 0);
  await receiver.closed(1);
});

test("R16: a receiver that speaks only HTTP/2 is a TLS failure", async (t) => {
  const receiver = await startRawReceiver(t, always(ok()), {
    tls: { ...good, ALPNProtocols: ["h2"] },
  });
  const sender = testSender(t, { ca: authority.cert, resolver });
  const result = await sender.send(postTo(`https://shop.example.com:${receiver.port}/`), mayWrite);
  assert.equal(result.category, "tls_failure");
  assert.equal(result.sent, false);
});

test("limits hold inside TLS, and a half answer is a failure there too", async (t) => {
  const head = "HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\n";
  const endless = await secureReceiver(t, good, (socket) => {
    socket.write(head + "x".repeat(1_000_000));
  });
  const short = await secureReceiver(t, good, (socket) => socket.end(`${head}x`));
  const reset = await secureReceiver(t, good, (socket) => {
    socket.write(`${head}x`, () => setImmediate(() => socket.destroy()));
  });
  const expected = [null, "connection_closed", "connection_closed"];
  for (const [index, { port }] of [endless, short, reset].entries()) {
    const sender = testSender(t, { ca: authority.cert, resolver });
    const result = await sender.send(postTo(`https://shop.example.com:${port}/`), mayWrite);
    assert.equal(result.category, expected[index]);
    assert.equal(result.status, 200);
    assert.equal(sender.openSockets(), 0);
  }
});

test("two hundred refused certificates leave no sockets behind", async (t) => {
  const receiver = await secureReceiver(t, stranger.issue({ names: ["shop.example.com"] }));
  const sender = testSender(t, { ca: authority.cert, resolver });
  const url = `https://shop.example.com:${receiver.port}/`;
  for (let round = 0; round < 10; round += 1) {
    const results = await Promise.all(
      Array.from({ length: 20 }, () => sender.send(postTo(url), mayWrite)),
    );
    for (const result of results) assert.equal(result.category, "tls_certificate_untrusted");
  }
  assert.equal(sender.openSockets(), 0);
  assert.deepEqual(receiver.requests, []);
});
