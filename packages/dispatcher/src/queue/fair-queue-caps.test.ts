import assert from "node:assert/strict";
import { test } from "node:test";
import { queueBench } from "../wiring/testing/queue-bench.ts";
import { sampleWebhook } from "../wiring/testing/samples.ts";

test("a new webhook has two requests open, one more with each answer up to its cap, half with a failure", (t) => {
  const { push, open, openOf } = queueBench(t);
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
  const { push, open, sent, drain } = queueBench(t, { hostConcurrency: 3 }, (no) =>
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
  const { push, open, drain, sent } = queueBench(t, { addressConcurrency: 2 });
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
  const { push, open, openOf, clock } = queueBench(t, { concurrency: 10 });
  // One after the other, so that all become known; twice, so that no failure is the first one.
  for (const no of [1, 2, 3, 4, 5, 6, 7, 8].flatMap((one) => [one, one])) {
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
  const { push, open, openOf } = queueBench(t, { concurrency: 10 });
  push(100, 1);
  openOf(100)[0]?.finish();
  for (let no = 1; no <= 30; no += 1) push(no, 1);
  assert.equal(open.length, 4);
  push(100, 3);
  assert.equal(openOf(100).length, 3);
});

test("a webhook at a host that answers well is not new, until that host fails", (t) => {
  const { push, open, openOf } = queueBench(t, { concurrency: 10 }, (no) =>
    sampleWebhook({ no, url: no < 50 ? `http://one:80/${no}` : `http://other:80/${no}` }),
  );
  push(1, 1);
  openOf(1)[0]?.finish();
  for (let no = 2; no <= 7; no += 1) push(no, 1);
  assert.equal(open.length, 6);
  for (let no = 50; no <= 60; no += 1) push(no, 1);
  assert.equal(open.length, 10, "four new ones of the other host");
  openOf(2)[0]?.finish(false);
  for (let no = 20; no <= 30; no += 1) push(no, 1);
  assert.equal(open.filter(({ no }) => no >= 20 && no <= 30).length, 0);
});

test("webhooks that wait behind new ones that hang go on as soon as their host answers another one well", async (t) => {
  const hostOf = (no: number): string => (no < 40 ? "one" : no < 50 ? "two" : `hangs-${no}`);
  const { push, open, openOf, queue, clock } = queueBench(t, { concurrency: 10 }, (no) =>
    sampleWebhook({ no, url: `http://${hostOf(no)}:80/${no}` }),
  );
  push(1, 1);
  push(40, 1);
  for (let no = 50; no <= 60; no += 1) push(no, 1);
  for (const no of [2, 3, 4, 41]) push(no, 1);
  const opened = (...nos: number[]): number[] => nos.map((no) => openOf(no).length);
  assert.deepEqual([open.length, queue.waiting["new-share"]], [4, 13]);
  openOf(1)[0]?.finish();
  await clock.advance(10);
  assert.deepEqual(opened(2, 3, 4, 41), [1, 1, 1, 0]);
  assert.equal(open.length, 7, "four that hang or are not answered yet, and those three");
  // The next look through all that wait comes a moment later: there may be many, and a host that changes all the time.
  openOf(40)[0]?.finish();
  await clock.advance(50);
  assert.deepEqual(opened(41), [0]);
  // No other request ends meanwhile.
  await clock.advance(50);
  assert.deepEqual(opened(41), [1]);
});

test("100 webhooks that hang hold no more than their caps, and never keep the others from going on", async (t) => {
  const { push, open, clock, sent } = queueBench(t, { concurrency: 100 });
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
  const { push, queue, open, openOf, clock } = queueBench(t, { concurrency: 10 });
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
  const { push, queue, open, openOf, state } = queueBench(t, { concurrency: 5 });
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

test("a webhook that answers well again does not wait behind slow ones of its host", async (t) => {
  const { push, open, openOf, clock } = queueBench(t, { hostConcurrency: 8 }, (no) =>
    sampleWebhook({ no, url: `http://one:80/${no}` }),
  );
  // Twice, so that no slow answer is the first one.
  for (let round = 0; round < 2; round += 1) {
    for (let no = 1; no <= 8; no += 1) {
      push(no, 1);
      await clock.advance(1500);
      openOf(no)[0]?.finish();
    }
  }
  // Three quarters of the host's slots are for slow ones.
  for (let no = 1; no <= 6; no += 1) push(no, 1);
  for (const no of [7, 8, 1]) push(no, 2);
  assert.deepEqual([open.length, openOf(1).length], [6, 1]);
  openOf(1)[0]?.finish();
  assert.deepEqual([openOf(7).length, openOf(8).length], [1, 0]);
  assert.equal(openOf(1).length, 1, "the others leave room for one that is not slow");
});

test("no waiter is stuck: whatever ends in whatever order, everything goes out", (t) => {
  const { push, open, sent, queue } = queueBench(
    t,
    { concurrency: 6, hostConcurrency: 2, addressConcurrency: 3 },
    (no) => sampleWebhook({ no, url: `http://host-${no % 5}:80/` }),
  );
  let random = 1;
  const next = (): number => (random = (random * 48_271) % 2_147_483_647);
  let pushed = 0;
  for (let i = 0; i < 3000; i += 1) {
    if (next() % 3 === 0) {
      push(next() % 23, 1 + (next() % 4), { suspicion: next() % 4 === 0 ? next() % 12 : 0 });
    } else {
      const [ok, address] = [[true, false, null][next() % 3], `192.0.2.${next() % 3}`];
      open[next() % Math.max(1, open.length)]?.finish(ok, ok === null ? null : address);
    }
    if (i === 1500) queue.remove(() => true);
    pushed = queue.size;
  }
  assert.ok(pushed > 0);
  while (open.length > 0) open[next() % open.length]?.finish(next() % 2 === 0);
  assert.equal(queue.size, 0);
  assert.equal(queue.open, 0);
  assert.equal(queue.room, 1_000_000);
  assert.ok(sent.length > 100);
});

test("many webhooks that all fail at once are not read over and over: each goes out, and is read a few times", (t) => {
  const webhooks = 5000;
  const kept = new Set<number>();
  const { push, queue, open, sent, loads, state } = queueBench(
    t,
    { hostConcurrency: 8, queueBytes: 100_000_000 },
    (no) => sampleWebhook({ no, url: `http://host-${no % 5}:80/` }),
  );
  // As with many more than the cache holds: what is not used soon is forgotten.
  state.known = (no) => kept.has(no);
  for (let no = 1; no <= webhooks; no += 1) push(no, 1);
  let read = 0;
  for (let round = 0; round < 20 * webhooks && sent.length < webhooks; round += 1) {
    const nos = loads.slice(read);
    read = loads.length;
    for (const no of nos) kept.add(no);
    for (const no of kept) if (kept.size > 300) kept.delete(no);
    queue.webhooksLoaded(nos);
    for (const one of open.slice()) one.finish(false);
  }
  assert.equal(sent.length, webhooks);
  assert.ok(loads.length <= 4 * webhooks, `${loads.length} were read`);
});

test("a webhook that moved to another host leaves the ones that still wait for the old host on their way", (t) => {
  const urls = new Map<number, string>();
  const { push, open, sent, drain } = queueBench(t, { hostConcurrency: 1 }, (no) =>
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
