import assert from "node:assert/strict";
import { test } from "node:test";
import { queueBench } from "../wiring/testing/queue-bench.ts";
import { Door } from "./place.ts";

/** Their backlogs used to fire the alert that the service sends late, which is none of its operator's business. */
test("a webhook whose receiver takes over a second is known as slow while its requests are open, and until one was quick", async (t) => {
  const { queue, push, openOf, clock } = queueBench(t);
  for (const no of [1, 2]) push(no, 50);
  openOf(2)[0]?.finish(true);
  assert.deepEqual(queue.queues.slow(), []);
  await clock.advance(1300);
  for (const one of openOf(2)) one.finish(false);
  assert.deepEqual(queue.queues.slow(), [1, 2]);
  openOf(1)[0]?.finish(true);
  assert.deepEqual(queue.queues.slow(), [1, 2]);
  openOf(1).at(-1)?.finish(true);
  openOf(2)[0]?.finish(true);
  assert.deepEqual(queue.queues.slow(), []);
});

test("a chat that waits for its own pace counts among them, and one that waits for what all chats share does not", (t) => {
  const own = new Door("chat-address", "a channel");
  const shared = new Door("chat-platform", "a platform");
  const gate = {
    reasons: ["chat-platform", "chat-address"] as const,
    wait: ({ no }: { no: number }) => (no === 1 ? own : shared),
  };
  const { queue, push } = queueBench(t, { gates: [gate] });
  for (const no of [1, 2]) push(no, 1);
  assert.deepEqual(queue.queues.slow(), [1]);
});

test("of webhooks that are paused to save memory those with slow receivers and chats at their own pace count among them, and no others", (t) => {
  const own = new Door("chat-address", "a channel");
  const shared = new Door("chat-platform", "a platform");
  const gate = {
    reasons: ["chat-platform", "chat-address"] as const,
    wait: ({ no }: { no: number }) => [null, shared, null, own][no] ?? null,
  };
  const { queue, push, openOf, clock } = queueBench(t, { gates: [gate], queueBytes: 10_000 });
  push(2, 50);
  openOf(2)[0]?.finish(false);
  for (const no of [1, 2, 3]) push(no, 50);
  const now = clock.now();
  assert.deepEqual(new Set(queue.coolDowns.at(now)), new Set([1, 2, 3]));
  assert.deepEqual(new Set(queue.coolDowns.ofReceivers(now)), new Set([2, 3]));
});

test("a webhook whose receiver asked for a long pause counts among them, and one whose pause is short does not", (t) => {
  const { queue, clock } = queueBench(t);
  const now = clock.now();
  queue.coolDowns.add(1, now + 60_000);
  queue.coolDowns.add(2, now + 1000);
  assert.deepEqual(queue.coolDowns.ofReceivers(now), [1]);
});
