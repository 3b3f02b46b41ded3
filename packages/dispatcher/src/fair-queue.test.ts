import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { SendableWebhook } from "@markethook/store";
import { FairQueue, type FairQueueOptions } from "./fair-queue.ts";
import type { Held, OpenRequest } from "./lane.ts";
import { fakeClock, type FakeClock } from "./testing/fake-clock.ts";
import { sampleDelivery, sampleWebhook } from "./testing/samples.ts";

interface Sent {
  seq: number;
  no: number;
  finish(ok?: boolean | null, address?: string | null): void;
}

/** A queue whose requests are ended by the test. Every webhook has a host of its own unless told otherwise. */
function setUp(
  t: TestContext,
  options: Partial<FairQueueOptions> = {},
  webhookOf = (no: number): SendableWebhook | null => sampleWebhook({ no }),
) {
  const clock: FakeClock = fakeClock(t);
  const open: Sent[] = [];
  const sent: Sent[] = [];
  const loads: number[] = [];
  const state = { choked: false, drained: 0, freed: 0, known: (_no: number) => true };
  const queue: FairQueue = new FairQueue({
    cache: {
      peek: (no) => (state.known(no) ? webhookOf(no) : undefined),
      load: (no) => loads.push(no),
    },
    now: clock.now,
    concurrency: 100,
    webhookConcurrency: 8,
    hostConcurrency: 64,
    addressConcurrency: 64,
    queueBytes: 1_000_000,
    queueShare: 50,
    suspectAfter: 2,
    choked: () => state.choked,
    dispatch(held: Held, _webhook, request: OpenRequest) {
      const one: Sent = {
        seq: held.delivery.seq,
        no: held.delivery.webhookNo,
        finish(ok = true, address = null) {
          open.splice(open.indexOf(one), 1);
          queue.finish(request, ok, address);
        },
      };
      open.push(one);
      sent.push(one);
    },
    drained: () => (state.drained += 1),
    shareFreed: () => (state.freed += 1),
    ...options,
  });
  t.after(() => queue.close());
  let seq = 0;
  const push = (
    no: number,
    count: number,
    change: { rescues?: number; life?: number } = {},
  ): void =>
    queue.push(
      Array.from({ length: count }, () => ({
        life: change.life ?? 1,
        delivery: sampleDelivery({ seq: (seq += 1), webhookNo: no, rescues: change.rescues ?? 0 }),
      })),
    );
  const openOf = (no: number): Sent[] => open.filter((one) => one.no === no);
  /** Ends all open requests well, and those that follow, until nothing moves. */
  const drain = (): void => {
    while (open.length > 0) open[0]?.finish();
  };
  return { queue, clock, open, sent, loads, state, push, openOf, drain };
}

test("webhooks take turns, however much one of them has", (t) => {
  const { queue, sent, state, push, drain } = setUp(t, { concurrency: 1 });
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
  const { sent, push, drain } = setUp(t);
  push(1, 40);
  drain();
  assert.deepEqual(
    sent.map(({ seq }) => seq),
    Array.from({ length: 40 }, (_, index) => index + 1),
  );
});

test("a new webhook has two requests open, one more with each answer up to its cap, half with a failure", (t) => {
  const { push, open, openOf } = setUp(t);
  push(1, 45);
  assert.equal(openOf(1).length, 2);
  for (const expected of [3, 4, 5, 6, 7, 8, 8]) {
    open[0]?.finish(true);
    assert.equal(openOf(1).length, expected);
  }
  open[0]?.finish(false);
  // The limit is 4 now: none starts until enough have ended.
  assert.equal(openOf(1).length, 7);
  for (const expected of [6, 5]) {
    open[0]?.finish(null);
    assert.equal(openOf(1).length, expected);
  }
  for (let i = 0; i < 10; i += 1) open[0]?.finish(false);
  assert.equal(openOf(1).length, 1);
});

test("all webhooks of one host and port together stay under the host's cap", (t) => {
  const { push, open, sent, drain } = setUp(t, { hostConcurrency: 3 }, (no) =>
    sampleWebhook({ no, url: no === 9 ? "http://other:80/" : `http://one:80/${no}` }),
  );
  for (let no = 1; no <= 5; no += 1) push(no, 2);
  push(9, 2);
  assert.equal(open.filter(({ no }) => no !== 9).length, 3);
  assert.equal(open.filter(({ no }) => no === 9).length, 2);
  open[0]?.finish();
  assert.equal(open.filter(({ no }) => no !== 9).length, 3);
  drain();
  assert.equal(sent.length, 12);
});

test("hosts that resolve to one address share its cap once that is known", (t) => {
  const { push, open, drain, sent } = setUp(t, { addressConcurrency: 2 });
  for (let no = 1; no <= 4; no += 1) push(no, 1);
  for (const one of open.slice()) one.finish(true, "192.0.2.1");
  for (let no = 1; no <= 4; no += 1) push(no, 3);
  assert.equal(open.length, 2);
  open[0]?.finish(true, "192.0.2.1");
  assert.equal(open.length, 2);
  drain();
  assert.equal(sent.length, 16);
});

test("webhooks that failed share 30 % of the slots; those that answer have the rest", async (t) => {
  const { push, open, openOf, clock } = setUp(t, { concurrency: 10 });
  // One after the other, so that all become known.
  for (let no = 1; no <= 8; no += 1) {
    push(no, 1);
    openOf(no)[0]?.finish(no > 5);
  }
  for (let no = 1; no <= 5; no += 1) push(no, 5);
  assert.equal(open.length, 3);
  for (let no = 6; no <= 8; no += 1) push(no, 5);
  assert.equal(open.filter(({ no }) => no > 5).length, 7);
  await clock.advance(100);
});

test("webhooks that never answered well share 40 % of the slots", (t) => {
  const { push, open, openOf } = setUp(t, { concurrency: 10 });
  push(100, 1);
  openOf(100)[0]?.finish();
  for (let no = 1; no <= 30; no += 1) push(no, 1);
  assert.equal(open.length, 4);
  push(100, 3);
  assert.equal(openOf(100).length, 3);
});

test("100 webhooks that hang hold no more than their caps, and never keep the others from going on", async (t) => {
  const { push, open, clock, sent } = setUp(t, { concurrency: 100 });
  for (let no = 1; no <= 10; no += 1) push(no, 1);
  while (open.length > 0) open[0]?.finish();
  for (let round = 0; round < 3; round += 1) {
    for (let no = 101; no <= 200; no += 1) push(no, 10);
    await clock.advance(1500);
    const hanging = open.filter(({ no }) => no > 100);
    assert.ok(hanging.length <= 70, `${hanging.length} hang`);
    for (const no of new Set(hanging.map((one) => one.no))) {
      assert.ok(hanging.filter((one) => one.no === no).length <= 2);
    }
    const before = sent.length;
    for (let no = 1; no <= 10; no += 1) push(no, 5);
    const healthy = () => open.filter(({ no }) => no <= 10);
    while (healthy().length > 0) healthy()[0]?.finish();
    assert.equal(sent.length - before, 50);
    // Their time is over; what follows is of webhooks known to be slow.
    for (const one of hanging) one.finish(false);
  }
});

test("a request that is open for a second counts as slow before it ends", async (t) => {
  const { push, queue, open, openOf, clock } = setUp(t, { concurrency: 10 });
  for (let no = 1; no <= 4; no += 1) {
    push(no, 1);
    openOf(no)[0]?.finish();
  }
  for (let no = 1; no <= 4; no += 1) push(no, 1);
  assert.equal(queue.slowOpen, 0);
  await clock.advance(1250);
  assert.equal(queue.slowOpen, 4);
  push(1, 1);
  assert.equal(open.length, 4);
  for (const one of open.slice()) one.finish();
  // It answered, if slowly: nothing else is slow, so it goes.
  assert.equal(open.length, 1);
});

test("who waits for a share and turns out not to need it goes on at once", (t) => {
  const { push, queue, open, openOf, state } = setUp(t, { concurrency: 5 });
  state.choked = true;
  push(1, 3);
  push(2, 3);
  state.choked = false;
  queue.pump();
  // Two slots for new webhooks: one each, and both wait with their second.
  assert.equal(open.length, 2);
  openOf(2)[0]?.finish();
  // The other one hangs and takes the slot that became free, and still 2 has all that is left of it.
  assert.equal(openOf(2).length, 2);
  assert.equal(openOf(1).length, 2);
});

test("no waiter is stuck: whatever ends in whatever order, everything goes out", (t) => {
  const { push, open, sent, queue } = setUp(
    t,
    { concurrency: 6, hostConcurrency: 2, addressConcurrency: 3 },
    (no) => sampleWebhook({ no, url: `http://host-${no % 5}:80/` }),
  );
  let random = 1;
  const next = (): number => (random = (random * 48_271) % 2_147_483_647);
  let pushed = 0;
  for (let i = 0; i < 3000; i += 1) {
    if (next() % 3 === 0) {
      push(next() % 23, 1 + (next() % 4), { rescues: next() % 10 === 0 ? 2 : 0 });
    } else {
      const [ok, address] = [[true, false, null][next() % 3], `192.0.2.${next() % 3}`];
      open[next() % Math.max(1, open.length)]?.finish(ok, ok === null ? null : address);
    }
    if (i === 1500) queue.drop(null);
    pushed = queue.size;
  }
  assert.ok(pushed > 0);
  while (open.length > 0) open[next() % open.length]?.finish(next() % 2 === 0);
  assert.equal(queue.size, 0);
  assert.equal(queue.open, 0);
  assert.equal(queue.room, 1_000_000);
  assert.ok(sent.length > 100);
});

test("a webhook that moved to another host leaves the ones that still wait for the old host on their way", (t) => {
  const urls = new Map<number, string>();
  const { push, open, sent, drain } = setUp(t, { hostConcurrency: 1 }, (no) =>
    sampleWebhook({ no, url: urls.get(no) ?? "http://old:80/" }),
  );
  for (const no of [1, 2, 3]) push(no, 1);
  assert.equal(open.length, 1);
  urls.set(2, "http://new:80/");
  open[0]?.finish();
  assert.deepEqual(
    open.map(({ no }) => no).toSorted((a, b) => a - b),
    [2, 3],
  );
  drain();
  assert.equal(sent.length, 3);
});

test("suspects go one at a time in all, and their webhooks' other deliveries do not wait for them", (t) => {
  const { push, open, sent, drain } = setUp(t);
  push(1, 3, { rescues: 2 });
  push(2, 3, { rescues: 2 });
  push(1, 2);
  push(2, 2);
  assert.equal(open.length, 5);
  const [suspect] = open;
  assert.equal(suspect?.seq, 1);
  suspect?.finish();
  assert.equal(open.at(-1)?.no, 2);
  assert.equal(open.length, 5);
  drain();
  assert.equal(sent.length, 10);
});

test("a webhook that is not known yet is read first, once, and holds nobody up", (t) => {
  const { push, queue, sent, loads, state } = setUp(t);
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

test("a lost life takes its own deliveries with it and no others", (t) => {
  const { push, queue, sent, state, drain } = setUp(t);
  state.choked = true;
  push(1, 3, { life: 1 });
  push(1, 2, { life: 2 });
  push(2, 60, { life: 1 });
  assert.deepEqual(queue.full, [2]);
  queue.drop(1);
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
  const { push, queue, state, drain } = setUp(t, { queueBytes: 3000 });
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
  const { push, queue, open, state } = setUp(t, { queueShare: 4 });
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

test("a webhook whose receiver asked for a pause is full until that is over or its owner changes something", async (t) => {
  const { queue, clock } = setUp(t);
  queue.holds.add(1, clock.now() + 100);
  queue.holds.add(1, clock.now() + 50);
  queue.holds.add(2, clock.now() + 5000);
  assert.deepEqual(queue.full, [1, 2]);
  assert.equal(queue.holds.until(1), clock.now() + 100);
  await clock.advance(100);
  assert.deepEqual(queue.full, [2]);
  queue.holds.end([2]);
  assert.deepEqual(queue.full, []);
  assert.equal(queue.holds.until(2), 0);
});

test("ending a request twice frees its slots once", (t) => {
  const requests: OpenRequest[] = [];
  const queue: FairQueue = setUp(t, {
    dispatch: (_held, _webhook, request) => requests.push(request),
  }).queue;
  queue.push([1, 2, 3].map((seq) => ({ life: 1, delivery: sampleDelivery({ seq }) })));
  const [first] = requests;
  assert.ok(first);
  queue.finish(first, null, null);
  queue.finish(first, null, null);
  assert.equal(queue.open, 2);
  assert.equal(first.lane.open, 2);
});

test("a webhook that does not exist is dispatched all the same, to be cancelled", (t) => {
  const { push, sent } = setUp(t, {}, () => null);
  push(1, 1);
  assert.equal(sent.length, 1);
});

test("idle resolves when the last open request has ended", async (t) => {
  const { push, queue, open } = setUp(t);
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
