import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { queueBench } from "../wiring/testing/queue-bench.ts";
import { sampleWebhook } from "../wiring/testing/samples.ts";

test("of suspects of one level only so many go at one time, half as many of the next level", (t) => {
  const { push, open } = queueBench(t, { concurrency: 2000 });
  for (let no = 1; no <= 300; no += 1) push(no, 1, { suspicion: 3 });
  assert.equal(open.length, 128);
  for (let no = 1; no <= 300; no += 1) push(no, 1, { suspicion: 4 });
  assert.equal(open.length, 128 + 64);
});

test("suspects of the first level stand among the webhook's others, in order", (t) => {
  const { push, sent, drain } = queueBench(t);
  push(1, 1, { suspicion: 1 });
  push(1, 1);
  push(1, 2, { suspicion: 1 });
  drain();
  assert.deepEqual(
    sent.map(({ seq }) => seq),
    [1, 2, 3, 4],
  );
});

test("a webhook's other deliveries do not wait for its suspects of higher levels, nor do other webhooks", (t) => {
  const { push, open, openOf } = queueBench(t);
  push(1, 3, { suspicion: 9 });
  push(2, 3, { suspicion: 9 });
  assert.equal(open.length, 2, "the window of level 9");
  push(1, 2);
  push(2, 2);
  push(3, 2);
  assert.equal(openOf(1).length, 3);
  assert.equal(openOf(2).length, 3);
  assert.equal(openOf(3).length, 2);
});

test("one that has to go alone waits until no suspect is on its way, and none begins before it has ended", (t) => {
  const { push, open, openOf, sent, drain } = queueBench(t);
  push(1, 1, { suspicion: 2 });
  push(2, 1, { suspicion: 10 });
  push(3, 1, { suspicion: 2 });
  push(4, 1);
  const nos = (): number[] => open.map(({ no }) => no).toSorted((a, b) => a - b);
  assert.deepEqual(nos(), [1, 4], "3 does not pass it");
  openOf(1)[0]?.finish();
  assert.deepEqual(nos(), [2, 4]);
  push(5, 1, { suspicion: 11 });
  push(6, 1, { suspicion: 1 });
  assert.deepEqual(nos(), [2, 4]);
  openOf(2)[0]?.finish();
  assert.deepEqual(nos(), [4, 5]);
  drain();
  assert.equal(sent.length, 6);
});

test("others go on when the one that has to go alone turns out to have nothing to send", (t) => {
  const { push, queue, open, openOf } = queueBench(t);
  push(1, 1, { suspicion: 2 });
  push(2, 1, { suspicion: 10, instanceNo: 2 });
  push(3, 1, { suspicion: 2 });
  queue.remove((held) => held.instanceNo === 2);
  openOf(1)[0]?.finish();
  assert.deepEqual(
    open.map(({ no }) => no),
    [3],
  );
});

test("what was just accepted passes suspects of its webhook that have to wait", (t) => {
  const { push, open, openOf } = queueBench(t);
  push(1, 1, { suspicion: 10 });
  assert.equal(open.length, 1, "it goes alone");
  push(2, 2, { suspicion: 1 });
  assert.equal(openOf(2).length, 0);
  push(3, 1, { suspicion: 1 });
  push(3, 1, { fresh: true });
  assert.equal(openOf(3).length, 1);
  openOf(1)[0]?.finish();
  assert.deepEqual([openOf(2).length, openOf(3).length], [2, 2]);
});

/** A webhook with a probe that has to wait as a suspect, and behind it a delivery that was just accepted. */
function suspectProbe(t: TestContext) {
  const given: number[] = [];
  const webhook: { change: Parameters<typeof sampleWebhook>[0] } = { change: {} };
  const bench = queueBench(t, { giveBack: ({ delivery }) => given.push(delivery.seq) }, (no) =>
    no === 2 ? sampleWebhook({ no, ...webhook.change }) : sampleWebhook({ no }),
  );
  const { push, queue, state, openOf } = bench;
  push(1, 1, { suspicion: 10 });
  // Then an older delivery has the next turn.
  push(2, 1, { fresh: true });
  openOf(2)[0]?.finish();
  state.choked = true;
  push(2, 1, { suspicion: 1, probe: true });
  push(2, 1, { fresh: true });
  const goOn = (): void => {
    state.choked = false;
    queue.pump();
  };
  return { ...bench, given, webhook, goOn };
}

test("what passes a suspect probe of its disabled webhook is held as everything else", (t) => {
  const { webhook, goOn, openOf, given } = suspectProbe(t);
  webhook.change = { state: "disabled", disabledReason: "failing" };
  goOn();
  assert.deepEqual([openOf(2).length, given], [0, [4]]);
  openOf(1)[0]?.finish();
  assert.deepEqual(
    openOf(2).map(({ seq }) => seq),
    [3],
  );
});

test("what passes a suspect probe waits as long as its receiver asked", async (t) => {
  const { queue, clock, goOn, openOf } = suspectProbe(t);
  queue.coolDowns.add(2, clock.now() + 1000);
  goOn();
  assert.equal(openOf(2).length, 0);
  await clock.advance(1010);
  assert.deepEqual(
    openOf(2).map(({ seq }) => seq),
    [4],
  );
});
