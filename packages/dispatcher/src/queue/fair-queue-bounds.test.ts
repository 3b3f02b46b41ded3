import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { FairQueueOptions } from "./fair-queue.ts";
import { CoolDowns } from "../gates/cool-downs.ts";
import type { QueueEntry } from "./webhook-queue.ts";
import { queueBench, type Sent } from "../wiring/testing/queue-bench.ts";
import { sampleWebhook } from "../wiring/testing/samples.ts";

interface Receiver {
  host: string;
  ms: number;
  ok: boolean;
}

/** A queue whose receivers take their time, as its clock tells; what is given back is pushed again when it may be. */
function world(
  t: TestContext,
  receiver: (no: number) => Receiver,
  options: Partial<FairQueueOptions> = {},
) {
  const kept: QueueEntry[] = [];
  const bench = queueBench(t, { giveBack: (entry) => void kept.push(entry), ...options }, (no) =>
    sampleWebhook({ no, url: `http://${receiver(no).host}:80/` }),
  );
  const ends = new Map<Sent, number>();
  const ended = new Map<number, number>();
  let mostSlow = 0;

  async function run(ms: number, each: () => void = () => undefined): Promise<void> {
    for (const until = bench.clock.now() + ms; bench.clock.now() < until;) {
      each();
      for (const one of bench.open) {
        if (!ends.has(one)) ends.set(one, bench.clock.now() + receiver(one.no).ms);
      }
      for (const [one, at] of ends) {
        if (at > bench.clock.now()) continue;
        ends.delete(one);
        ended.set(one.no, (ended.get(one.no) ?? 0) + 1);
        one.finish(receiver(one.no).ok);
      }
      mostSlow = Math.max(
        mostSlow,
        bench.queue.ledgers.slow.bytes,
        bench.queue.ledgers.slots.bytes,
      );
      await bench.clock.advance(10);
    }
  }
  return { ...bench, kept, run, endedOf: (no: number) => ended.get(no) ?? 0, most: () => mostSlow };
}

const QUARTER = 0.25;

test("webhooks that hang hold a part of the memory only, and others go on at once", async (t) => {
  const queueBytes = 2_000_000;
  const { queue, push, run, endedOf, most, kept } = world(
    t,
    (no) =>
      no <= 60 ? { host: "hangs", ms: 15_000, ok: false } : { host: "fine", ms: 5, ok: true },
    { queueBytes, queueShare: 200, concurrency: 1024 },
  );
  for (let no = 1; no <= 60; no += 1) push(no, 210);
  await run(1500);
  assert.ok(kept.length > 1000, `${kept.length} went back to the database`);
  assert.ok(queue.room > queueBytes / 3, `${queue.room} bytes are free`);
  for (let i = 0; i < 15; i += 1) {
    push(100, 10);
    await run(100);
  }
  assert.equal(endedOf(100), 150);
  await run(20_000);
  // A queue that comes over the bound is the last one.
  assert.ok(most() < queueBytes * QUARTER + 300_000, `${most()} bytes`);
});

test("a webhook that is left alone is so for twice as long each time, up to a minute, until it answers well", () => {
  const coolDowns = new CoolDowns();
  let now = 0;
  const pause = (): number => {
    coolDowns.pause(1, now, false);
    let ms = 0;
    while (coolDowns.keepsOut(1, now + ms)) ms += 1000;
    now += ms;
    return ms;
  };
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6].map(pause),
    [5, 10, 20, 40, 60, 60].map((s) => s * 1000),
  );
  now -= 1000;
  assert.equal(pause(), 1000, "one that is not over is not made longer");
  assert.equal(coolDowns.endPause(1), true);
  assert.equal(coolDowns.endPause(1), false);
  assert.equal(pause(), 5000);
  assert.deepEqual(coolDowns.at(now - 1), [1]);
  assert.deepEqual(coolDowns.at(now), []);
  assert.equal(pause(), 10_000, "it is remembered for some time");
  assert.deepEqual(coolDowns.at(now + 60_000), []);
});

test("webhooks that were left alone for want of memory come back when there is memory, and not a minute later", async (t) => {
  const { push, run, endedOf, kept, queue } = world(
    t,
    (no) => ({ host: `slow-${no}`, ms: 1100, ok: true }),
    { queueBytes: 400_000, queueShare: 200, concurrency: 200 },
  );
  const webhooks = Array.from({ length: 40 }, (_, index) => index + 1);
  const comeBack = (): void => {
    const full = new Set(queue.full);
    for (const entry of kept.splice(0)) {
      if (full.has(entry.delivery.webhookNo)) kept.push(entry);
      else queue.push([entry]);
    }
  };
  for (const no of webhooks) push(no, 100);
  await run(60_000, comeBack);
  const ended = webhooks.reduce((sum, no) => sum + endedOf(no), 0);
  assert.ok(ended > 1000, `${ended} of 4000`);
});

test("a webhook that needs a slot of a full host and one of the full share of slow ones gets its part of both", async (t) => {
  const slowElsewhere = [1, 2, 3, 4, 5, 6, 7, 8];
  const healthy = [101, 102, 103, 104];
  const starved = 50;
  const { push, run, endedOf, queue } = world(
    t,
    (no) => {
      if (no > 100) return { host: "busy", ms: 150, ok: true };
      return { host: no === starved ? "busy" : `other-${no}`, ms: 1100, ok: true };
    },
    { concurrency: 20, hostConcurrency: 8, queueShare: 1000, queueBytes: 100_000_000 },
  );
  for (const no of [...slowElsewhere, ...healthy, starved]) push(no, 1);
  await run(5000);
  assert.equal(queue.size, 0, "all are known now");
  const before = new Map([...slowElsewhere, starved].map((no) => [no, endedOf(no)]));
  for (const no of [...slowElsewhere, ...healthy, starved]) push(no, 900);
  await run(20_000);
  const since = (no: number): number => endedOf(no) - (before.get(no) ?? 0);
  const like = slowElsewhere.reduce((sum, no) => sum + since(no), 0) / slowElsewhere.length;
  assert.ok(like > 5, `${like} of each slow one elsewhere`);
  assert.ok(since(starved) >= like / 5, `${since(starved)} of ${like}`);
});

test("a host where 60 webhooks hang still has slots for another one there, before any of them has ended", async (t) => {
  const { push, run, endedOf, queue, state } = world(
    t,
    (no) => ({ host: "one", ms: no <= 60 ? 15_000 : 20, ok: no > 60 }),
    { concurrency: 1024 },
  );
  state.choked = true;
  for (let no = 1; no <= 60; no += 1) push(no, 15);
  state.choked = false;
  queue.pump();
  await run(1400);
  push(100, 10);
  await run(1000);
  assert.equal(endedOf(100), 10);
});

test("whatever waits, goes and fails in whatever order, all goes out and no memory stays counted", async (t) => {
  let random = 7;
  const next = (below: number): number => (random = (random * 48_271) % 2_147_483_647) % below;
  const { queue, push, open, kept, clock, sent } = world(
    t,
    (no) => ({ host: `host-${no % 5}`, ms: 0, ok: true }),
    { concurrency: 12, hostConcurrency: 5, addressConcurrency: 6, queueBytes: 60_000 },
  );
  const settled = (): void => {
    const { slow, slots, gates } = queue.ledgers;
    for (const { bytes } of [slow, slots, gates]) assert.ok(bytes >= 0);
  };
  for (let i = 0; i < 4000; i += 1) {
    const what = next(10);
    if (what < 4)
      push(next(40), 1 + next(4), {
        suspicion: next(4) === 0 ? next(12) : 0,
        fresh: next(3) === 0,
      });
    else if (what < 9)
      open[next(Math.max(1, open.length))]?.finish(
        [true, false, null][next(3)],
        `192.0.2.${next(3)}`,
      );
    else await clock.advance(next(1500));
    settled();
    assert.ok(
      queue.open > 0 || queue.size === 0,
      "somebody waits and nothing is open that could wake it",
    );
  }
  while (open.length > 0) open[next(open.length)]?.finish(next(2) === 0);
  assert.equal(queue.size, 0);
  assert.deepEqual(
    [queue.ledgers.slow.bytes, queue.ledgers.slots.bytes, queue.ledgers.gates.bytes],
    [0, 0, 0],
  );
  assert.equal(queue.room, 60_000);
  assert.ok(sent.length > 100 && kept.length > 100, `${sent.length} sent, ${kept.length} kept`);
});
