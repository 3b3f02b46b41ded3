import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { test, type TestContext } from "node:test";

import { createAuthority } from "./testing/certificate.ts";
import { always, ok, type RawReceiverOptions, startRawReceiver } from "./testing/raw-receiver.ts";
import { mayWrite, postTo, testSender } from "./testing/test-sender.ts";

const authority = createAuthority("Trusted");
const names = ["shop.example.com"];
const good = authority.issue({ names });
const resolver = { resolve: async () => ["127.0.0.1"] };

async function send(t: TestContext, tls: RawReceiverOptions["tls"]) {
  const receiver = await startRawReceiver(t, always(ok()), tls === undefined ? {} : { tls });
  const sender = testSender(t, { ca: authority.cert, resolver });
  const result = await sender.send(postTo(`https://shop.example.com:${receiver.port}/`), mayWrite);
  assert.equal(sender.openSockets(), 0);
  assert.deepEqual(receiver.requests, []);
  assert.equal(result.sent, false);
  return result.category;
}

test("R9: a key that can be broken is no protection, and nothing is sent", async (t) => {
  const weak = authority.issue({ names, rsaBits: 1024 });
  assert.match(String(await send(t, { ...weak, ciphers: "ALL:@SECLEVEL=0" })), /^tls_/);
});

test("R9: a chain of more than 100 kB is not read to its end", async (t) => {
  const more = Array.from(
    { length: 500 },
    (_, i) => authority.issue({ names: [`${i}.example`] }).cert,
  );
  const chain = [good.cert, ...more].join("");
  assert.ok(chain.length > 150_000);
  assert.equal(await send(t, { key: good.key, cert: chain }), "tls_failure");
});

test("R9: a server without the name, and one that knows other names only, are told apart", async (t) => {
  const other = authority.issue({ names: ["other.example.com"] });
  assert.equal(await send(t, other), "tls_name_mismatch");
  const refusing = {
    ...good,
    SNICallback(_name: string, done: (error: Error | null) => void) {
      done(new Error("no such name here"));
    },
  };
  assert.equal(await send(t, refusing), "tls_failure");
});

test("R9: versions before TLS 1.2 and ciphers that everybody has given up are TLS failures", async (t) => {
  for (const tls of [
    { minVersion: "TLSv1", maxVersion: "TLSv1", ciphers: "ALL:@SECLEVEL=0" },
    { minVersion: "TLSv1.2", maxVersion: "TLSv1.2", ciphers: "NULL-SHA256:@SECLEVEL=0" },
  ] as const) {
    assert.equal(await send(t, { ...good, ...tls }), "tls_failure");
  }
});

test("R9: a key exchange over a prime of the receiver's choice is refused, because a long one takes a second", async (t) => {
  const ours = authority.issue({ names, rsaBits: 2048 });
  const dhe = { ciphers: "DHE-RSA-AES128-GCM-SHA256", dhparam: "auto" };
  assert.equal(await send(t, { ...ours, ...dhe, maxVersion: "TLSv1.2" }), "tls_failure");
});

test("R9: a handshake that has no end is cut before its deadline", async (t) => {
  // TLS passes over a server's wish to begin again, as often as it comes.
  const helloRequests = Buffer.from("160303000400000000".repeat(7000), "hex");
  const flood = (socket: Socket): void => {
    while (!socket.destroyed && socket.write(helloRequests));
    socket.once("drain", () => flood(socket));
  };
  const receiver = await startRawReceiver(t, () => {}, {
    onConnection: (socket) => socket.once("data", () => flood(socket)),
  });
  const sender = testSender(t, { ca: authority.cert, resolver });
  const result = await sender.send(postTo(`https://shop.example.com:${receiver.port}/`), mayWrite);
  assert.equal(result.category, "tls_failure");
  assert.match(result.detail ?? "", /256 KiB/);
  assert.equal(sender.openSockets(), 0);
});
