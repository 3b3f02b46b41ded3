import assert from "node:assert/strict";
import { test } from "node:test";
import type { SendableWebhook } from "@markethook/store";
import { turn } from "../wiring/testing/fake-clock.ts";
import { sampleWebhook } from "../wiring/testing/samples.ts";
import { WebhookCache } from "./webhook-cache.ts";

function setUp() {
  let now = 0;
  const reads: {
    nos: readonly number[];
    answer(found: SendableWebhook[]): void;
    fail(error?: Error): void;
  }[] = [];
  const loaded: number[][] = [];
  const failed: number[][] = [];
  const unreadable: [number[], string][] = [];
  const cache = new WebhookCache({
    webhooks: {
      forSending: (nos) =>
        new Promise((resolve, reject) => {
          reads.push({
            nos,
            answer: resolve,
            fail: (error = new Error("no database")) => reject(error),
          });
        }),
    },
    now: () => now,
    maxAgeMs: 1000,
    loaded: (nos) => loaded.push(nos),
    failed: (nos) => failed.push(nos),
    unreadable: (nos, error) => unreadable.push([nos, String(error)]),
  });
  const answer = async (index: number, ...found: SendableWebhook[]): Promise<void> => {
    assert.ok(reads[index], `read ${index} has not begun`);
    reads[index].answer(found);
    await turn();
  };
  return { cache, reads, loaded, failed, unreadable, answer, pass: (ms: number) => (now += ms) };
}

test("what is asked for in one turn is read together, and absent ones are known to be absent", async () => {
  const { cache, reads, loaded, answer } = setUp();
  assert.equal(cache.peek(1), undefined);
  for (const no of [1, 2, 1]) cache.load(no);
  await turn();
  assert.deepEqual(
    reads.map(({ nos }) => nos),
    [[1, 2]],
  );
  await answer(0, sampleWebhook({ no: 1 }));
  assert.deepEqual(loaded, [[1, 2]]);
  assert.equal(cache.peek(1)?.no, 1);
  assert.equal(cache.peek(2), null);
});

test("what is older than allowed is not answered, counted from before it was read", async () => {
  const { cache, answer, pass } = setUp();
  cache.load(1);
  await turn();
  pass(900);
  await answer(0, sampleWebhook());
  pass(100);
  assert.equal(cache.peek(1)?.no, 1);
  pass(1);
  assert.equal(cache.peek(1), undefined);
});

test("what took longer to read than it may be old can be used at once, and soon no more", async () => {
  const { cache, answer, pass, loaded } = setUp();
  cache.load(1);
  await turn();
  pass(5000);
  await answer(0, sampleWebhook());
  assert.deepEqual(loaded, [[1]]);
  pass(100);
  assert.equal(cache.peek(1)?.no, 1);
  pass(1);
  assert.equal(cache.peek(1), undefined);
});

test("a change is forgotten at once", async () => {
  const { cache, answer } = setUp();
  cache.load(1);
  await turn();
  await answer(0, sampleWebhook());
  cache.forget([1]);
  assert.equal(cache.peek(1), undefined);
});

test("what changed while it was being read is read again, and the old answer is never used", async () => {
  const { cache, reads, loaded, answer } = setUp();
  cache.load(1);
  await turn();
  cache.forget([1]);
  await answer(0, sampleWebhook({ state: "active" }));
  assert.equal(cache.peek(1), undefined);
  assert.equal(reads.length, 2);
  await answer(1, sampleWebhook({ state: "paused" }));
  assert.equal(cache.peek(1)?.state, "paused");
  assert.deepEqual(loaded.at(-1), [1]);
});

test("after a machine slept nothing is used that was read before, nor what was being read", async () => {
  const { cache, reads, answer } = setUp();
  cache.load(1);
  await turn();
  await answer(0, sampleWebhook({ no: 1, state: "active" }));
  const other = cache.begin();
  cache.load(2);
  await turn();
  cache.forgetAll();
  cache.end(other, [sampleWebhook({ no: 3 })]);
  await answer(1, sampleWebhook({ no: 2, state: "active" }));
  assert.deepEqual(
    [1, 2, 3].map((no) => cache.peek(no)),
    [undefined, undefined, undefined],
  );
  cache.load(2);
  await turn();
  assert.equal(reads.length, 3);
  await answer(2, sampleWebhook({ no: 2, state: "paused" }));
  assert.equal(cache.peek(2)?.state, "paused");
});

test("a webhook being read is not read twice", async () => {
  const { cache, reads } = setUp();
  cache.load(1);
  await turn();
  cache.load(1);
  await turn();
  assert.equal(reads.length, 1);
});

test("a read that fails is told, and can be asked for again", async () => {
  const { cache, reads, failed, answer } = setUp();
  cache.load(1);
  await turn();
  cache.forget([1]);
  reads[0]?.fail();
  await turn();
  assert.deepEqual(failed, [[1]]);
  cache.load(1);
  await turn();
  await answer(1, sampleWebhook());
  assert.equal(cache.peek(1)?.no, 1);
});

test("one whose row cannot be read is found among the others, which are read; it is told once", async () => {
  const { cache, reads, loaded, failed, unreadable, answer } = setUp();
  for (const no of [1, 2, 3]) cache.load(no);
  await turn();
  reads[0]?.fail(new RangeError("too large"));
  await turn();
  await answer(1, sampleWebhook({ no: 1 }), sampleWebhook({ no: 2 }));
  reads[2]?.fail(new RangeError("too large"));
  await turn();
  assert.deepEqual([loaded, failed], [[[1, 2]], []]);
  assert.deepEqual(unreadable, [[[3], "Error: too large (webhook 3)"]]);
});

test("more than a thousand are read in several goes", async () => {
  const { cache, reads, loaded, answer } = setUp();
  for (let no = 1; no <= 1500; no += 1) cache.load(no);
  await turn();
  assert.deepEqual(
    reads.map(({ nos }) => nos.length),
    [1000, 500],
  );
  await answer(0);
  await answer(1);
  assert.equal(loaded.flat().length, 1500);
});

test("what came along with other work is kept as of its beginning", () => {
  const { cache, pass } = setUp();
  const reading = cache.begin();
  pass(900);
  cache.end(reading, [sampleWebhook({ no: 1 })]);
  pass(100);
  assert.equal(cache.peek(1)?.no, 1);
  pass(1);
  assert.equal(cache.peek(1), undefined);
});

test("what changed while it was coming along is not kept", () => {
  const { cache } = setUp();
  const [earlier, later] = [cache.begin(), cache.begin()];
  cache.forget([1]);
  const after = cache.begin();
  cache.end(earlier, [sampleWebhook({ no: 1 }), sampleWebhook({ no: 2 })]);
  cache.end(later, [sampleWebhook({ no: 1 })]);
  assert.equal(cache.peek(1), undefined);
  assert.equal(cache.peek(2)?.no, 2);
  cache.end(after, [sampleWebhook({ no: 1 })]);
  assert.equal(cache.peek(1)?.no, 1);
});

test("what came along later than something newer does not replace it", async () => {
  const { cache, answer, pass } = setUp();
  const old = cache.begin();
  pass(10);
  cache.load(1);
  await turn();
  await answer(0, sampleWebhook({ no: 1, state: "paused" }));
  cache.end(old, [sampleWebhook({ no: 1, state: "active" })]);
  assert.equal(cache.peek(1)?.state, "paused");
});

test("what is fresh is what was read in the last half second, and never more than a thousand", () => {
  const { cache, pass } = setUp();
  cache.end(cache.begin(), [sampleWebhook({ no: 1 })]);
  pass(300);
  cache.end(cache.begin(), [sampleWebhook({ no: 2 })]);
  pass(300);
  assert.equal(cache.peek(1)?.no, 1, "old, but good enough");
  assert.deepEqual(cache.fresh(), [2]);
  const many = Array.from({ length: 1500 }, (_, index) => sampleWebhook({ no: 10 + index }));
  cache.end(cache.begin(), many);
  assert.equal(cache.fresh().length, 1000);
});

test("where there are ever new ones the last five thousand are known, a change is forgotten, and none is named", () => {
  const { cache, pass } = setUp();
  const read = (from: number, count: number): void => {
    const webhooks = Array.from({ length: count }, (_, index) =>
      sampleWebhook({ no: from + index }),
    );
    cache.end(cache.begin(), webhooks);
  };
  read(1, 5000);
  read(5001, 4999);
  const known = (): number =>
    Array.from({ length: 10_000 }, (_, index) => cache.peek(index + 1)).filter(Boolean).length;
  assert.equal(known(), 9999);
  assert.deepEqual(cache.fresh(), []);
  cache.forget([1]);
  assert.equal(cache.peek(1), undefined);
  read(10_000, 1);
  assert.equal(known(), 5000);
  assert.ok(cache.peek(5001));
  pass(501);
  read(10_001, 1);
  assert.deepEqual(cache.fresh(), [10_001]);
});
