import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { ClaimOutcome, ClaimRequest } from "@markethook/store";
import { createClaimLoop } from "./claim-loop.ts";
import { fakeClock, turn } from "./testing/fake-clock.ts";
import { createRecorder } from "./testing/recorder.ts";
import { sampleDelivery } from "./testing/samples.ts";

const EMPTY: ClaimOutcome = { deliveries: [], cursor: 0, visited: 0, blocked: [] };
const POLL = 250;
const ROOM = 10 * 1024 * 1024;

/** A store that finds nothing unless told otherwise. */
function setUp(t: TestContext) {
  const clock = fakeClock(t);
  const requests: ClaimRequest[] = [];
  const taken: (readonly number[] | null)[] = [];
  const fake = {
    life: 1 as number | null,
    room: ROOM,
    averageBytes: 0,
    full: [] as number[],
    claim: async (_request: ClaimRequest): Promise<ClaimOutcome> => EMPTY,
  };
  const seen = createRecorder();
  const loop = createClaimLoop({
    deliveries: {
      claim(request) {
        requests.push(request);
        return fake.claim(request);
      },
    },
    take: () => fake.life,
    took: (_life, deliveries) => taken.push(deliveries?.map(({ seq }) => seq) ?? null),
    room: () => fake.room,
    averageBytes: () => fake.averageBytes,
    full: () => fake.full,
    share: 200,
    pollMs: POLL,
    now: clock.now,
    observer: seen,
  });
  t.after(() => loop.stop());
  /** Answers these, one claim after the other, then nothing. */
  const answer = (...outcomes: Partial<ClaimOutcome>[]): void => {
    fake.claim = async () => ({ ...EMPTY, ...outcomes.shift() });
  };
  return { loop, clock, requests, taken, fake, seen, answer };
}

function found(...seqs: number[]): Partial<ClaimOutcome> {
  return { deliveries: seqs.map((seq) => sampleDelivery({ seq })), visited: 1 };
}

test("when woken it goes once round, from webhook to webhook", async (t) => {
  const { loop, requests, answer } = setUp(t);
  answer({ cursor: 40, visited: 100 }, { cursor: 90, visited: 100 }, { visited: 3 });
  loop.wake();
  await turn();
  assert.deepEqual(
    requests.map(({ cursor }) => cursor),
    [0, 40, 90],
  );
});

test("a circle that found something is followed by another until one finds nothing", async (t) => {
  const { loop, requests, taken, answer, seen } = setUp(t);
  answer({ ...found(1, 2), cursor: 40 }, { visited: 1 }, found(3), { visited: 1 });
  loop.wake();
  await turn();
  assert.equal(requests.length, 4);
  assert.deepEqual(taken, [[1, 2], [], [3], []]);
  assert.deepEqual(
    seen.of("claimed").map(({ deliveries }) => deliveries),
    [2, 1],
  );
});

function portions(requests: readonly ClaimRequest[]): [number, number][] {
  return requests.map(({ webhooks, perWebhook }) => [webhooks, perWebhook]);
}

test("it takes few of each webhook where many wait, and many where few do", async (t) => {
  const { loop, requests, answer } = setUp(t);
  answer({ ...found(1), visited: 100, cursor: 5 }, { ...found(2), visited: 30 });
  loop.wake();
  await turn();
  assert.deepEqual(portions(requests).slice(0, 3), [
    [100, 2],
    [100, 2],
    [100, 2],
  ]);
  answer({ ...found(3), visited: 10 }, { ...found(4), visited: 1 });
  const before = requests.length;
  loop.wake();
  await turn();
  assert.deepEqual(portions(requests).slice(before, before + 3), [
    [100, 2],
    [11, 25],
    [2, 200],
  ]);
});

test("it never takes more than a few hundred, also when many wait where one did", async (t) => {
  const { loop, requests, answer } = setUp(t);
  answer(
    { ...found(1), visited: 1 },
    { ...found(2), visited: 2, cursor: 2 },
    { ...found(3), visited: 3, cursor: 5 },
    { ...found(4), visited: 25, cursor: 30 },
    { ...found(5), visited: 100, cursor: 130 },
  );
  loop.wake();
  await turn();
  assert.deepEqual(portions(requests).slice(0, 6), [
    [100, 2],
    [2, 200],
    [5, 64],
    [11, 25],
    [65, 4],
    [100, 2],
  ]);
  for (const [webhooks, perWebhook] of portions(requests)) assert.ok(webhooks * perWebhook <= 512);
});

test("after a circle without anything it does not think that one webhook waits", async (t) => {
  const { loop, requests } = setUp(t);
  loop.wake();
  await turn();
  loop.wake();
  await turn();
  assert.deepEqual(portions(requests), [
    [100, 2],
    [100, 2],
  ]);
});

test("it takes no more than there is room for, by the size of what came before", async (t) => {
  const { loop, requests, fake, answer } = setUp(t);
  fake.averageBytes = 100_000;
  fake.room = 2_000_000;
  const large = sampleDelivery({ payload: "x".repeat(200_000) });
  answer({ deliveries: [large], visited: 1 });
  loop.wake();
  await turn();
  assert.deepEqual(portions(requests).slice(0, 2), [
    [11, 2],
    [2, 10],
  ]);
});

test("when every wake-up is lost it looks all the same", async (t) => {
  const { loop, clock, requests, answer, taken } = setUp(t);
  loop.wake();
  await turn();
  answer(found(1));
  await clock.advance(POLL);
  assert.deepEqual(taken.flat(), [1]);
  const before = requests.length;
  await clock.advance(10 * POLL);
  assert.ok(requests.length >= before + 9);
});

test("the pause is five times what a circle takes, and does not grow from one circle to the next", async (t) => {
  const { loop, clock, requests, fake } = setUp(t);
  fake.claim = async () => {
    clock.freeze(100);
    return EMPTY;
  };
  loop.wake();
  await turn();
  for (let circle = 1; circle < 12; circle += 1) {
    assert.equal(requests.length, circle);
    await clock.advance(490);
    assert.equal(requests.length, circle, "it rests");
    await clock.advance(10);
  }
});

test("however long a circle takes, it looks again within two seconds", async (t) => {
  const { loop, clock, requests, fake } = setUp(t);
  fake.claim = async () => {
    clock.freeze(60_000);
    return EMPTY;
  };
  loop.wake();
  await turn();
  await clock.advance(2000);
  assert.equal(requests.length, 2);
});

test("a wake-up in the middle of a circle is followed by a whole one", async (t) => {
  const { loop, requests, fake } = setUp(t);
  const cursors = [50, 0, 50, 0];
  fake.claim = async () => {
    // It became due behind the cursor.
    await Promise.resolve();
    if (requests.length === 1) loop.wake();
    return { ...EMPTY, visited: 100, cursor: cursors.shift() ?? 0 };
  };
  loop.wake();
  await turn();
  assert.deepEqual(
    requests.map(({ cursor }) => cursor),
    [0, 50, 0, 50],
  );
});

test("a retry that is due before the poll has a time of its own", async (t) => {
  const { loop, clock, requests } = setUp(t);
  loop.wake();
  await turn();
  loop.wakeIn(50);
  loop.wakeIn(120);
  loop.wakeIn(5000);
  await clock.advance(40);
  assert.equal(requests.length, 1);
  await clock.advance(10);
  assert.equal(requests.length, 2);
});

test("the end of a delivery is a hint only where something is known to wait behind it", async (t) => {
  const { loop, clock, requests, answer } = setUp(t);
  answer({ blocked: [{ webhookNo: 1, orderKey: 7 }], visited: 1 });
  loop.wake();
  await turn();
  loop.blocked([{ webhookNo: 2, orderKey: 7 }]);
  loop.ended({ webhookNo: 3, orderKey: 7 });
  await clock.advance(10);
  assert.equal(requests.length, 1);
  loop.ended({ webhookNo: 1, orderKey: 7 });
  loop.ended({ webhookNo: 2, orderKey: 7 });
  await turn();
  assert.deepEqual(requests[1]?.hints, [{ webhookNo: 1, orderKey: 7 }]);
  assert.deepEqual(requests[2]?.hints, [{ webhookNo: 2, orderKey: 7 }]);
});

test("without room it takes nothing until room is made", async (t) => {
  const { loop, clock, requests, fake } = setUp(t);
  fake.room = 1000;
  loop.wake();
  await clock.advance(10 * POLL);
  loop.roomMade();
  await turn();
  assert.equal(requests.length, 0);
  fake.room = ROOM;
  loop.roomMade();
  await turn();
  assert.equal(requests.length, 1);
  loop.roomMade();
  await turn();
  assert.equal(requests.length, 1, "nobody waited for this room");
});

test("without a life it takes nothing, and full webhooks are passed over", async (t) => {
  const { loop, requests, fake } = setUp(t);
  fake.life = null;
  loop.wake();
  await turn();
  assert.equal(requests.length, 0);
  fake.life = 4;
  fake.full = [3];
  loop.wake();
  await turn();
  assert.deepEqual(
    requests.map(({ life, full }) => ({ life, full })),
    [{ life: 4, full: [3] }],
  );
});

test("a database that fails is asked less and less often, whoever wakes; then all is as before", async (t) => {
  const { loop, clock, requests, taken, fake, seen, answer } = setUp(t);
  fake.claim = () => Promise.reject(new Error("no database"));
  loop.blocked([{ webhookNo: 1, orderKey: 7 }]);
  loop.ended({ webhookNo: 1, orderKey: 7 });
  for (let i = 0; i < 1000; i += 1) {
    loop.wake();
    await clock.advance(10);
  }
  assert.ok(requests.length >= 6 && requests.length <= 9, `${requests.length} in ten seconds`);
  assert.equal(seen.of("fault").length, requests.length);
  assert.ok(taken.every((one) => one === null));
  answer(found(1));
  const before = requests.length;
  await clock.advance(2000);
  assert.deepEqual(requests[before]?.hints, [{ webhookNo: 1, orderKey: 7 }], "hints are kept");
  assert.deepEqual(taken[before], [1]);
  loop.wake();
  await turn();
  const after = requests.length;
  await clock.advance(POLL);
  assert.equal(requests.length, after + 1);
});

test("stopping waits for the claim under way and makes no other", async (t) => {
  const { loop, clock, requests, taken, fake } = setUp(t);
  let answer: (outcome: ClaimOutcome) => void = () => undefined;
  fake.claim = () => new Promise((resolve) => (answer = resolve));
  loop.wake();
  await turn();
  let stopped = false;
  const stop = loop.stop().then(() => (stopped = true));
  await turn();
  assert.equal(stopped, false);
  answer({ ...EMPTY, ...found(1), cursor: 50 });
  await stop;
  assert.deepEqual(taken, [[1]]);
  loop.wake();
  await clock.advance(10 * POLL);
  assert.equal(requests.length, 1);
});
