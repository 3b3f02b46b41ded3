import assert from "node:assert/strict";
import { test } from "node:test";
import type { TLSSocket } from "node:tls";

import { createAuthority } from "./testing/certificate.ts";
import { ok, startRawReceiver } from "./testing/raw-receiver.ts";
import { mayWrite, postTo, testSender } from "./testing/test-sender.ts";

/** Of some 300 bytes each; together more than an idle connection may get. */
const HANDSHAKES = 400;

test("R17: an idle connection on which a receiver shakes hands again and again is closed", async (t) => {
  const authority = createAuthority("Trusted");
  const tls = {
    ...authority.issue({ names: ["shop.example.com"] }),
    maxVersion: "TLSv1.2" as const,
  };
  const floods = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const receiver = await startRawReceiver(
    t,
    (socket, _request, count) => {
      const again = (left: number): void => {
        if (left === 0) floods[count - 1]?.resolve();
        else (socket as TLSSocket).renegotiate({}, () => again(left - 1));
      };
      socket.write(ok(), () => again(HANDSHAKES));
    },
    { tls },
  );
  let clock = 0;
  const sender = testSender(t, {
    ca: authority.cert,
    now: () => clock,
    resolver: { resolve: async () => ["127.0.0.1"] },
  });
  for (const flood of floods) {
    const url = `https://shop.example.com:${receiver.port}/`;
    const { status, reusedConnection } = await sender.send(postTo(url), mayWrite);
    assert.equal(status, 200);
    assert.equal(reusedConnection, false);
    await flood.promise;
  }
  // Also where no request follows.
  clock += 1000;
  await receiver.closed(2);
});
