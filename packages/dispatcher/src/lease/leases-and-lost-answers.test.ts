import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { QueuedDelivery } from "@markethook/store";
import { Leases } from "./leases-and-lost-answers.ts";
import { fakeClock, turn } from "../wiring/testing/fake-clock.ts";
import { createRecorder } from "../wiring/testing/recorder.ts";
import { sampleDelivery } from "../wiring/testing/samples.ts";

function setUp(t: TestContext) {
  const clock = fakeClock(t);
  const held: number[] = [];
  const asked: { instanceNo: number; held: readonly number[] }[] = [];
  const fake = {
    instanceNo: 1 as number | null,
    cleared: 0,
    release: async (): Promise<number> => 0,
  };
  const seen = createRecorder();
  const leases = new Leases({
    deliveries: {
      async releaseForgotten(instanceNo, leases) {
        asked.push({ instanceNo, held: leases.map(({ seq }) => seq) });
        return await fake.release();
      },
    },
    instanceNo: () => fake.instanceNo,
    queue: (_instanceNo, deliveries) => held.push(...deliveries.map(({ seq }) => seq)),
    cleared: () => (fake.cleared += 1),
    observer: seen,
  });
  t.after(() => leases.stop());
  return { leases, clock, held, asked, fake, seen };
}

function some(...seqs: number[]): QueuedDelivery[] {
  return seqs.map((seq) => sampleDelivery({ seq }));
}

test("what is taken is held, and nothing is asked while all goes well", async (t) => {
  const { leases, held, asked } = setUp(t);
  assert.equal(leases.take(), 1);
  leases.took(1, some(128, 256));
  await turn();
  assert.deepEqual(held, [128, 256]);
  assert.deepEqual(asked, []);
});

test("probes are counted from when they are taken until they have ended, or the instance is lost", (t) => {
  const { leases } = setUp(t);
  leases.take();
  leases.took(1, [
    ...some(128),
    ...[256, 384, 512].map((seq) => sampleDelivery({ seq, probe: true })),
  ]);
  assert.equal(leases.probes, 3);
  leases.ended(1, some(128, 256));
  assert.equal(leases.probes, 2);
  leases.lost(1);
  assert.equal(leases.probes, 0);
});

test("no instance, no leases", (t) => {
  const { leases, fake } = setUp(t);
  fake.instanceNo = null;
  assert.equal(leases.take(), null);
});

test("after a failure nothing more is taken until the store gave back all but what is held", async (t) => {
  const { leases, asked, fake } = setUp(t);
  leases.take();
  leases.took(1, some(128, 256, 384));
  leases.ended(1, some(256));
  const { promise, resolve } = Promise.withResolvers<number>();
  fake.release = () => promise;
  leases.take();
  leases.took(1, null);
  assert.deepEqual(asked, [{ instanceNo: 1, held: [128, 384] }]);
  assert.equal(leases.take(), null);
  resolve(2);
  await turn();
  assert.equal(fake.cleared, 1);
  assert.equal(leases.take(), 1);
});

test("the store is asked only when no other commit of this instance_no is under way", async (t) => {
  const { leases, asked } = setUp(t);
  leases.take();
  leases.take();
  leases.took(1, null);
  await turn();
  assert.deepEqual(asked, []);
  // The other one ends well: what it brought is held, or the store would give it to somebody else too.
  leases.took(1, some(512));
  assert.deepEqual(asked, [{ instanceNo: 1, held: [512] }]);
});

test("a store that cannot answer is asked again until it does, less and less often", async (t) => {
  const { leases, clock, asked, fake, seen } = setUp(t);
  fake.release = () => Promise.reject(new Error("no database"));
  leases.take();
  leases.took(1, null);
  await clock.advance(10_000);
  assert.ok(asked.length >= 6 && asked.length <= 10, `${asked.length} times`);
  assert.equal(leases.take(), null);
  fake.release = async () => 1;
  await clock.advance(2000);
  assert.equal(leases.take(), 1);
  assert.equal(seen.of("fault").length, asked.length - 1);
});

test("a lost instance ends the doubt about it, and what it still brings is not held", async (t) => {
  const { leases, held, asked, fake } = setUp(t);
  leases.take();
  leases.take();
  leases.took(1, null);
  leases.lost(1);
  fake.instanceNo = 2;
  assert.equal(leases.take(), 2);
  leases.took(1, some(128));
  leases.took(2, some(256));
  await turn();
  assert.deepEqual(held, [256]);
  assert.deepEqual(asked, []);
});

test("a write that throws while the store is being asked has it asked once more", async (t) => {
  const { leases, asked, fake } = setUp(t);
  leases.take();
  leases.took(1, some(128));
  const { promise, resolve } = Promise.withResolvers<number>();
  fake.release = () => promise;
  leases.doubt(1);
  leases.ended(1, some(128));
  // The first question may have been answered by a server whose last commits are lost by now.
  leases.doubt(1);
  assert.equal(asked.length, 1);
  fake.release = async () => 1;
  resolve(0);
  await turn();
  assert.deepEqual(
    asked.map(({ held }) => held),
    [[128], []],
  );
  assert.equal(fake.cleared, 1);
  assert.equal(leases.take(), 1);
});

test("what an old instance's results end is not forgotten under the new one", async (t) => {
  const { leases, asked, fake } = setUp(t);
  leases.take();
  leases.took(1, some(128));
  leases.lost(1);
  fake.instanceNo = 2;
  leases.take();
  leases.took(2, some(128));
  leases.ended(1, some(128));
  leases.take();
  leases.took(2, null);
  assert.deepEqual(asked, [{ instanceNo: 2, held: [128] }]);
});

test("an old lease that ends does not end the one that was taken since", async (t) => {
  const { leases, asked } = setUp(t);
  leases.take();
  leases.took(1, some(128));
  const again = sampleDelivery({ seq: 128, lease: 2 });
  leases.take();
  leases.took(1, [again]);
  leases.ended(1, some(128));
  leases.doubt(1);
  assert.deepEqual(asked, [{ instanceNo: 1, held: [128] }]);
  await turn();
});

test("a write that threw brings doubt, and so does each minute", async (t) => {
  const { leases, asked, clock, fake } = setUp(t);
  leases.take();
  leases.took(1, some(128));
  leases.doubt(1);
  await turn();
  assert.equal(asked.length, 1);
  assert.equal(fake.cleared, 1);
  await clock.advance(60_000);
  assert.equal(asked.length, 2);
  leases.lost(1);
  await clock.advance(60_000);
  leases.doubt(1);
  assert.equal(asked.length, 2, "of an instance that is lost nothing is asked");
});
