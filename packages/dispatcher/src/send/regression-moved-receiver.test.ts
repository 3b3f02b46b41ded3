import assert from "node:assert/strict";
import { test } from "node:test";

import { ONE_LOOPBACK_ADDRESS } from "@markethook/protocol/testing";

import { always, ok, startRawReceiver } from "./testing/raw-receiver.ts";
import { mayWrite, postTo, testSender } from "./testing/test-sender.ts";

test(
  "a receiver that never rests is reached where its name leads by now, within six minutes",
  { skip: ONE_LOOPBACK_ADDRESS },
  async (t) => {
    const receiver = await startRawReceiver(t, always(ok()));
    let clock = 0;
    let address = "127.0.0.1";
    const sender = testSender(t, {
      now: () => clock,
      resolver: { resolve: async () => [address] },
    });
    const send = async (): Promise<string> => {
      const url = `http://shop.example.com:${receiver.port}/`;
      const { status, category } = await sender.send(postTo(url), mayWrite);
      return category ?? String(status);
    };
    // Of several connections, so that they do not all end at once.
    await Promise.all(Array.from({ length: 5 }, send));
    // Nothing listens there; the old place goes on answering.
    address = "127.0.0.2";
    const outcomes = new Map<string, number>();
    for (let seconds = 0; seconds < 360; seconds += 1) {
      clock += 1000;
      for (const outcome of await Promise.all([send(), send()])) outcomes.set(outcome, seconds);
    }
    assert.equal(await send(), "connection_refused");
    assert.ok((outcomes.get("200") ?? 0) >= 299);
  },
);
