import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { makeSecret } from "@markethook/protocol";
import type { Notice, Store } from "@markethook/store";
import type { Sender } from "../send/sender.ts";
import { fakeClock, type FakeClock } from "../wiring/testing/fake-clock.ts";
import { sampleResult } from "../wiring/testing/samples.ts";
import { createNoticePoster } from "./notice-poster.ts";

const NOTICE: Notice = {
  no: 7,
  kind: "webhook_disabled",
  ownerId: "mason",
  resourceId: "castle",
  webhookId: "wh_1",
  detail: { reason: "gone" },
  createdAt: 1_700_000_000_000,
};

/** One notice until it is taken, and the right to post it by this clock. */
function storeOf({ now }: FakeClock): Pick<Store, "notices" | "noticePosts"> {
  let right = { holder: "", until: 0 };
  let left = [NOTICE];
  return {
    notices: { list: async () => left, newest: async () => left },
    noticePosts: {
      async take(holder, forMs) {
        const isOver = right.until <= now();
        if (right.holder !== holder && !isOver) return null;
        if (isOver || right.until - now() <= forMs / 2) right = { holder, until: now() + forMs };
        return 6;
      },
      async advance() {
        left = [];
        return true;
      },
      release: async () => {},
      lag: async () => null,
    },
  };
}

/** Two instances that post to one marketplace. */
function startPosters(clock: FakeClock, send: (by: string) => ReturnType<Sender["send"]>) {
  const store = storeOf(clock);
  const posters = ["a", "b"].map((holder) =>
    createNoticePoster({
      store,
      sender: { send: async () => await send(holder) },
      url: "https://market.example/notices",
      secret: makeSecret(randomBytes),
      profile: { serviceName: "Market", userAgent: "Markethook/test" },
      holder,
      wallNow: clock.wallNow,
      random: () => 0.5,
      randomBytes,
      failed: () => undefined,
      fault: (error) => assert.fail(String(error)),
      attemptTimeoutMs: 15_000,
    }),
  );
  for (const { start } of posters) start();
  return async (): Promise<void> => {
    await Promise.all(posters.map(({ stop }) => stop()));
  };
}

test("two instances, too, wait longer and longer for a marketplace that takes no notice, and five minutes at last", async (t) => {
  const clock = fakeClock(t);
  const posted: { by: string; at: number }[] = [];
  const stop = startPosters(clock, async (by) => {
    posted.push({ by, at: clock.now() });
    return sampleResult({ status: 503 });
  });
  // Ten waits, the last one of five minutes.
  await clock.advance(1_000_000);
  const waits = posted.slice(1).map(({ at }, index) => (at - (posted[index]?.at ?? 0)) / 1000);
  assert.deepEqual(
    waits.map((seconds) => Math.round(seconds)),
    [1, 2, 4, 8, 16, 32, 64, 128, 256, 300],
  );
  assert.equal(new Set(posted.map(({ by }) => by)).size, 1);
  await stop();
});

test("an instance that does not reach the marketplace leaves the notice to another one within minutes", async (t) => {
  const clock = fakeClock(t);
  const posted = new Set<string>();
  let taken = 0;
  const stop = startPosters(clock, async (by) => {
    posted.add(by);
    // The first one that has the right reaches nothing.
    if (posted.size === 1)
      return sampleResult({ status: null, category: "connection_failed", sent: false });
    taken += 1;
    return sampleResult();
  });
  await clock.advance(200_000);
  assert.equal(taken, 1);
  await stop();
});
