import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { QueuedDelivery, SendableWebhook } from "@markethook/store";
import type { FairQueue } from "./fair-queue.ts";
import type { OpenRequest } from "../gates/gate.ts";
import { queueBench } from "../wiring/testing/queue-bench.ts";
import { sampleDelivery, sampleWebhook } from "../wiring/testing/samples.ts";

test("webhooks take turns, however much one of them has", (t) => {
  const { queue, sent, state, push, drain } = queueBench(t, { concurrency: 1 });
  state.choked = true;
  push(1, 5);
  push(2, 2);
  push(3, 1);
  state.choked = false;
  queue.pump();
  drain();
  assert.deepEqual(
    sent.map(({ no }) => no),
    [1, 2, 3, 1, 2, 1, 1, 1],
  );
});

test("deliveries of one webhook go out in the order in which they came", (t) => {
  const { sent, push, drain } = queueBench(t);
  push(1, 40);
  drain();
  assert.deepEqual(
    sent.map(({ seq }) => seq),
    Array.from({ length: 40 }, (_, index) => index + 1),
  );
});

test("a webhook that is not known yet is read first, once, and holds nobody up", (t) => {
  const { push, queue, sent, loads, state } = queueBench(t);
  state.known = (no) => no !== 1;
  push(1, 3);
  push(2, 1);
  assert.deepEqual(loads, [1]);
  assert.deepEqual(
    sent.map(({ no }) => no),
    [2],
  );
  queue.webhooksLoaded([1]);
  assert.deepEqual(loads, [1, 1], "not known after all: read again");
  state.known = () => true;
  queue.webhooksLoaded([1]);
  assert.equal(sent.filter(({ no }) => no === 1).length, 2);
});

test("of many webhooks that are not known, those whose turn is near are read, and go out before others are", (t) => {
  const { push, queue, sent, loads, state, open } = queueBench(t, { concurrency: 2 }, (no) =>
    sampleWebhook({ no, url: "http://one:80/" }),
  );
  push(5000, 1);
  open[0]?.finish();
  const known = new Set<number>();
  state.known = (no) => known.has(no);
  for (let no = 1; no <= 1000; no += 1) push(no, 1);
  const first = loads.slice();
  sent.length = 0;
  assert.ok(first.length > 2 && first.length < 1000, `${first.length} are being read`);
  for (const no of first) known.add(no);
  queue.webhooksLoaded(first);
  assert.deepEqual(
    sent.map(({ no }) => no),
    [1, 2],
  );
  for (let ended = 0; ended < 10; ended += 1) open[0]?.finish();
  assert.deepEqual(
    sent.map(({ no }) => no),
    Array.from({ length: 12 }, (_, index) => index + 1),
  );
  assert.deepEqual(loads, first, "nothing more is read while that waits");
});

test("requests begin in portions, between which other work has its turn", async (t) => {
  const { push, sent, open, drain } = queueBench(t, { portion: 3 });
  for (let no = 1; no <= 4; no += 1) push(no, 2);
  const atOnce = (): number => sent.length;
  assert.equal(atOnce(), 3);
  open[0]?.finish();
  assert.equal(atOnce(), 3, "an answer does not begin the next portion");
  await setImmediate();
  assert.equal(atOnce(), 6);
  await setImmediate();
  assert.equal(atOnce(), 8);
  drain();
});

test("anyone who brings more waits while much waits for its portion alone, not for receivers", async (t) => {
  const { push, queue, sent } = queueBench(t, { portion: 1, webhookConcurrency: 2 });
  const caughtUpAt: number[] = [];
  const wait = (): void => void queue.caughtUp().then(() => caughtUpAt.push(sent.length));
  for (let no = 1; no <= 20; no += 1) push(no, 1);
  wait();
  for (let portions = 0; portions < 2; portions += 1) await setImmediate();
  assert.deepEqual(caughtUpAt, []);
  await setImmediate();
  assert.deepEqual(caughtUpAt, [4], "of 20 no more than 16 portions are left");
  while (sent.length < 20) await setImmediate();
  push(1, 40);
  await setImmediate();
  await setImmediate();
  wait();
  await setImmediate();
  assert.deepEqual(caughtUpAt, [4, 21], "39 wait for the receiver of the first");
});

test("a lost instance takes its own deliveries with it and no others", (t) => {
  const { push, queue, sent, state, drain } = queueBench(t);
  state.choked = true;
  push(1, 3, { instanceNo: 1 });
  push(1, 2, { instanceNo: 2 });
  push(2, 60, { instanceNo: 1 });
  assert.deepEqual(queue.full, [2]);
  queue.remove((held) => held.instanceNo === 1);
  assert.equal(queue.size, 2);
  assert.deepEqual(queue.full, []);
  state.choked = false;
  queue.pump();
  drain();
  assert.deepEqual(
    sent.map(({ seq }) => seq),
    [4, 5],
  );
});

test("room shrinks by the bytes queued and comes back as they go out", (t) => {
  const { push, queue, state, drain } = queueBench(t, { queueBytes: 3000 });
  state.choked = true;
  push(1, 5);
  const payload = sampleDelivery().payload.length;
  assert.equal(queue.room, 3000 - 5 * (512 + payload));
  push(1, 5);
  assert.equal(queue.room, 0);
  const before = state.drained;
  state.choked = false;
  queue.pump();
  assert.equal(state.drained, before, "what is still queued fills it");
  drain();
  assert.ok(state.drained > before);
  assert.equal(queue.room, 3000);
});

test("a webhook whose share is used up is full until half of it has gone out, which is told", (t) => {
  const { push, queue, open, state } = queueBench(t, { queueShare: 4 });
  push(1, 3);
  assert.deepEqual(queue.full, []);
  push(1, 3);
  assert.deepEqual(queue.full, [1]);
  open[0]?.finish(null);
  assert.deepEqual(queue.full, [1]);
  assert.equal(state.freed, 0);
  open[0]?.finish(null);
  assert.deepEqual(queue.full, []);
  assert.equal(state.freed, 1);
});

test("a webhook whose receiver asked for a long time is full until the rest is short, or its owner changes something", async (t) => {
  const { queue, clock } = queueBench(t);
  queue.coolDowns.add(1, clock.now() + 10_100);
  queue.coolDowns.add(1, clock.now() + 50);
  queue.coolDowns.add(2, clock.now() + 20_000);
  assert.deepEqual(queue.full, [1, 2]);
  await clock.advance(100);
  assert.deepEqual(queue.full, [2]);
  queue.endCoolDowns([2]);
  assert.deepEqual(queue.full, []);
});

test("what comes for a webhook whose receiver asked for a short time waits in memory, and goes when that is over", async (t) => {
  const given: number[] = [];
  const { push, queue, clock, sent } = queueBench(t, {
    giveBack: ({ delivery }) => given.push(delivery.seq),
  });
  queue.coolDowns.add(1, clock.now() + 1000);
  push(1, 2);
  push(2, 1);
  assert.deepEqual([queue.waiting["cool-down"], sent.length, queue.full], [1, 1, []]);
  await clock.advance(999);
  assert.equal(sent.length, 1);
  await clock.advance(9);
  assert.equal(sent.length, 3);
  assert.deepEqual(given, []);
});

test("what waits because its receiver asked goes at once when its owner changes something", (t) => {
  const { push, queue, clock, sent } = queueBench(t);
  queue.coolDowns.add(1, clock.now() + 5000);
  push(1, 2);
  assert.equal(sent.length, 0);
  queue.endCoolDowns([1]);
  assert.equal(sent.length, 2);
  assert.equal(queue.waiting["cool-down"], 0);
});

test("a request that is open when its webhook is changed is known as such, whatever is changed later, and no other is", (t) => {
  const requests: OpenRequest[] = [];
  const { push, queue } = queueBench(t, {
    dispatch: (_entry, _webhook, request) => void requests.push(request),
  });
  push(1, 1);
  push(2, 1);
  queue.endCoolDowns([1]);
  queue.endCoolDowns([3]);
  push(1, 1);
  assert.deepEqual(
    requests.map(({ webhookChanged }) => webhookChanged),
    [true, false, false],
  );
});

test("a longer time that the receiver asks for meanwhile gives all back, and is then kept out", async (t) => {
  const given: number[] = [];
  const { push, queue, clock, sent } = queueBench(t, {
    giveBack: ({ delivery }) => given.push(delivery.seq),
  });
  queue.coolDowns.add(1, clock.now() + 1000);
  push(1, 2);
  queue.coolDowns.add(1, clock.now() + 60_000);
  await clock.advance(1010);
  push(1, 1);
  assert.deepEqual([given, sent.length, queue.full], [[1, 2, 3], 0, [1]]);
});

test("a probe goes although its webhook's receiver asked for a time", (t) => {
  const { queue, clock, sent, push } = queueBench(t, {}, () =>
    sampleWebhook({ no: 1, state: "disabled", disabledReason: "failing" }),
  );
  queue.coolDowns.add(1, clock.now() + 60_000);
  queue.push([{ instanceNo: 1, delivery: sampleDelivery({ seq: 1, webhookNo: 1, probe: true }) }]);
  assert.equal(sent.length, 1);
  push(1, 1);
  assert.equal(sent.length, 1);
});

const HELD: readonly [string, Partial<SendableWebhook>, Partial<QueuedDelivery>][] = [
  ["a paused webhook", { state: "paused" }, {}],
  ["a disabled webhook", { state: "disabled", disabledReason: "failing" }, {}],
  ["a deleted webhook, or one whose backlog is dropped", { cancelled: true }, {}],
  [
    "a probe of a webhook that is gone meanwhile",
    { state: "disabled", disabledReason: "gone" },
    { probe: true },
  ],
  ["a probe of a webhook that was paused meanwhile", { state: "paused" }, { probe: true }],
];
for (const [what, webhook, delivery] of HELD) {
  test(`deliveries of ${what} are given back unsent, and take no slot`, (t) => {
    const given: number[] = [];
    const { queue, sent } = queueBench(
      t,
      {
        giveBack: (entry) => given.push(entry.delivery.seq),
        gates: [{ reasons: [], wait: () => assert.fail() }],
      },
      (no) => sampleWebhook({ no, ...webhook }),
    );
    queue.push(
      [1, 2, 3].map((seq) => ({
        instanceNo: 1,
        delivery: sampleDelivery({ seq, webhookNo: 1, ...delivery }),
      })),
    );
    assert.deepEqual([given, sent.length, queue.size, queue.open], [[1, 2, 3], 0, 0, 0]);
  });
}

test("ending a request twice frees its slots once", (t) => {
  const requests: OpenRequest[] = [];
  const queue: FairQueue = queueBench(t, {
    dispatch: (_held, _webhook, request) => requests.push(request),
  }).queue;
  queue.push([1, 2, 3].map((seq) => ({ instanceNo: 1, delivery: sampleDelivery({ seq }) })));
  const [first] = requests;
  assert.ok(first);
  queue.finish(first, null, null);
  queue.finish(first, null, null);
  assert.equal(queue.open, 2);
  assert.equal(first.queue.open, 2);
});

test("a webhook that does not exist is dispatched all the same, to be cancelled", (t) => {
  const { push, sent } = queueBench(t, {}, () => null);
  push(1, 1);
  assert.equal(sent.length, 1);
});

test("idle resolves when the last open request has ended", async (t) => {
  const { push, queue, open } = queueBench(t);
  await queue.idle();
  push(1, 2);
  let idle = false;
  const wait = queue.idle().then(() => (idle = true));
  open[0]?.finish();
  await Promise.resolve();
  assert.equal(idle, false);
  open[0]?.finish();
  await wait;
});

test("what was just accepted does not wait behind its webhook's backlog: they go in turn", (t) => {
  const { push, sent, drain, state, queue } = queueBench(t);
  state.choked = true;
  push(1, 6);
  push(1, 3, { fresh: true });
  state.choked = false;
  queue.pump();
  drain();
  assert.deepEqual(
    sent.map(({ seq }) => seq),
    [7, 1, 8, 2, 9, 3, 4, 5, 6],
  );
});

test("where a backlog has used up a webhook's share, a little of what is accepted is taken all the same", (t) => {
  const { push, queue, state } = queueBench(t);
  state.choked = true;
  push(1, 50);
  assert.deepEqual([queue.full, queue.fullForFresh], [[1], []]);
  push(1, 5, { fresh: true });
  assert.deepEqual([queue.full, queue.fullForFresh], [[1], [1]]);
});
