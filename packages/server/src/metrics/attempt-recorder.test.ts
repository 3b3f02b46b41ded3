import assert from "node:assert/strict";
import { test } from "node:test";
import { type AttemptCount, eventBit, NO_REPLIES } from "@markethook/store";
import { AttemptRecorder } from "./attempt-recorder.ts";
import { ATTEMPT } from "./testing/attempt.ts";

const HOUR = 3_600_000;

function setUp(everyMs = 1_000_000) {
  const stored: AttemptCount[][] = [];
  const faults: unknown[] = [];
  const world = {
    now: 5 * HOUR,
    failing: false,
    failsAfter: 0,
    listed: [] as AttemptCount[],
    added: () => {},
  };
  const recorder = new AttemptRecorder({
    store: {
      async add(counts) {
        if (world.failing) throw new Error("away");
        stored.push(counts.map((count) => ({ ...count })));
        world.failing = world.failsAfter === stored.length;
        world.added();
      },
      list: async () => world.listed,
      sums: async () => [],
    },
    wallNow: () => world.now,
    fault: (_where, error) => void faults.push(error),
    everyMs,
  });
  return { recorder, stored, faults, world };
}

test("attempts are counted by webhook and hour, and stored together", async () => {
  const { recorder, stored, world } = setUp();
  recorder.observer.attempt(ATTEMPT);
  recorder.observer.attempt({ ...ATTEMPT, outcome: "timeout", status: null, next: "retry" });
  recorder.observer.attempt({ ...ATTEMPT, webhookNo: 2, next: "dead" });
  world.now += HOUR;
  recorder.observer.attempt(ATTEMPT);
  await recorder.stop();
  const [counts = []] = stored;
  assert.deepEqual(
    counts.map(({ webhookNo, hour, ok, failed }) => [webhookNo, hour, ok, failed]),
    [
      [1, 5, 1, 1],
      [1, 6, 1, 0],
      [2, 5, 0, 1],
    ],
  );
  assert.deepEqual([counts[0]?.lastOutcome, counts[0]?.lastStatus], ["timeout", null]);
});

test("replies are counted by their time, up to each limit, and what ended without one is not", async () => {
  const { recorder, stored } = setUp();
  for (const ms of [0.4, 20, 20.1, 180, 10_000, 10_001]) {
    recorder.observer.attempt({ ...ATTEMPT, ms });
  }
  recorder.observer.attempt({ ...ATTEMPT, ms: 300, status: 500, next: "dead" });
  recorder.observer.attempt({ ...ATTEMPT, ms: 15_000, status: null, next: "retry" });
  await recorder.stop();
  const [count] = stored[0] ?? [];
  assert.deepEqual(count?.replies, [2, 1, 0, 1, 1, 0, 0, 0, 1, 1]);
  assert.deepEqual([count?.ok, count?.failed, count?.givenUp], [6, 2, 1]);
});

test("a ping is the last attempt and counts for nothing; what was not sent is neither", async () => {
  const { recorder, stored } = setUp();
  recorder.observer.attempt({ ...ATTEMPT, outcome: "lease_lost", next: "release" });
  recorder.notePing(1, { outcome: "http_error", status: 500 });
  await recorder.stop();
  assert.deepEqual(stored[0], [
    {
      webhookNo: 1,
      hour: 5,
      ok: 0,
      failed: 0,
      givenUp: 0,
      replies: NO_REPLIES,
      lastAt: 5 * HOUR,
      lastOutcome: "http_error",
      lastStatus: 500,
      lastOkAt: 0,
      okEvents: 0,
    },
  ]);
});

test("nothing to store is no write, and what could not be stored is kept", async () => {
  const { recorder, stored, faults, world } = setUp();
  world.failing = true;
  recorder.observer.attempt(ATTEMPT);
  await recorder.stop();
  assert.deepEqual([stored.length, faults.length], [0, 1]);
  world.failing = false;
  recorder.observer.attempt(ATTEMPT);
  await recorder.stop();
  assert.equal(stored[0]?.[0]?.ok, 2);
  await recorder.stop();
  assert.equal(stored.length, 1);
});

test("of many, what was stored before a failure is not stored again", async () => {
  const { recorder, stored, faults, world } = setUp();
  world.failsAfter = 2;
  for (let no = 0; no < 3500; no += 1) {
    recorder.observer.attempt({ ...ATTEMPT, webhookNo: no });
  }
  await recorder.stop();
  assert.deepEqual([stored.length, faults.length], [2, 1]);
  world.failing = false;
  await recorder.stop();
  const ok = stored.flat().map((count) => count.ok);
  assert.deepEqual([ok.length, Math.max(...ok), faults.length], [3500, 1, 1]);
});

test("what is listed is what is stored and what waits, hour by hour", async () => {
  const { recorder, world } = setUp();
  const stored = {
    hour: 5,
    ok: 3,
    failed: 1,
    givenUp: 0,
    replies: NO_REPLIES,
    lastAt: 5 * HOUR,
    lastOutcome: "timeout",
    lastOkAt: 0,
    okEvents: 0,
  };
  world.listed = [{ ...stored, webhookNo: 1, lastStatus: null }];
  recorder.observer.attempt(ATTEMPT);
  recorder.observer.attempt({ ...ATTEMPT, webhookNo: 2 });
  world.now += HOUR;
  recorder.observer.attempt(ATTEMPT);
  const listed = await recorder.list([1]);
  assert.deepEqual(
    listed.map(({ webhookNo, hour, ok, failed }) => [webhookNo, hour, ok, failed]),
    [
      [1, 5, 4, 1],
      [1, 6, 1, 0],
    ],
  );
  assert.deepEqual([listed[0]?.lastOutcome, listed[0]?.lastStatus], ["ok", 200]);
  await recorder.stop();
});

test("of very many webhooks those counted longest go first, and the others go on counting", async () => {
  const { recorder, stored, world } = setUp(1);
  const attempt = (no: number): void => recorder.observer.attempt({ ...ATTEMPT, webhookNo: no });
  const stores = async (): Promise<void> =>
    await new Promise((resolve) => {
      world.added = resolve;
    });
  for (let no = 0; no < 1500; no += 1) attempt(no);
  await stores();
  attempt(1400);
  attempt(0);
  await stores();
  await recorder.stop();
  assert.deepEqual(
    stored.map((counts) => counts.length),
    [1000, 501],
  );
  const second = new Map(stored[1]?.map(({ webhookNo, ok }) => [webhookNo, ok]));
  assert.deepEqual(
    [1000, 1400, 0, 1].map((no) => second.get(no)),
    [1, 2, 1, undefined],
  );
});

test("where there is hardly room for more webhooks as many are stored as are too many", async () => {
  const { recorder, stored, world } = setUp(1);
  for (let no = 0; no < 125_500; no += 1) {
    recorder.observer.attempt({ ...ATTEMPT, webhookNo: no });
  }
  await new Promise<void>((resolve) => {
    world.added = resolve;
  });
  await recorder.stop();
  assert.deepEqual(
    stored.map((counts) => counts.length),
    [...Array<number>(5).fill(1000), 500, ...Array<number>(120).fill(1000)],
  );
});

test("however many hours the database is away, no more is remembered than there is room for", async () => {
  const { recorder, stored, world } = setUp();
  world.failing = true;
  for (let hour = 0; hour < 3; hour += 1) {
    for (let no = 0; no < 100_000; no += 1)
      recorder.observer.attempt({ ...ATTEMPT, webhookNo: no });
    world.now += HOUR;
  }
  world.failing = false;
  await recorder.stop();
  const counts = stored.flat();
  assert.equal(counts.length, 150_000);
  assert.equal(counts.filter(({ hour }) => hour === 7).length, 100_000, "the last hour whole");
});

test("what could not be stored in its hour is kept next to the next hour's, one row each, also where the clock is set back", async () => {
  const { recorder, stored, world } = setUp();
  world.failing = true;
  recorder.observer.attempt({ ...ATTEMPT, outcome: "timeout", status: null, next: "dead" });
  await recorder.stop();
  world.now += HOUR;
  recorder.observer.attempt(ATTEMPT);
  await recorder.stop();
  recorder.observer.attempt(ATTEMPT);
  world.now -= HOUR;
  recorder.observer.attempt({ ...ATTEMPT, outcome: "timeout", status: null, next: "dead" });
  world.now += HOUR;
  recorder.observer.attempt(ATTEMPT);
  world.failing = false;
  await recorder.stop();
  assert.equal(stored.length, 1);
  assert.deepEqual(
    new Map(stored[0]?.map(({ hour, ok, givenUp }) => [hour, [ok, givenUp]])),
    new Map([
      [5, [0, 2]],
      [6, [3, 0]],
    ]),
  );
  assert.equal(stored[0]?.length, 2);
});

test("the last accepted one and the event names accepted are counted along, and listed before they are stored", async () => {
  const { recorder, stored, world } = setUp();
  const update = { ...ATTEMPT, eventName: "product.update" } as const;
  recorder.observer.attempt(update);
  recorder.observer.attempt({ ...update, eventName: "ping", outcome: "timeout", next: "retry" });
  world.now += 1000;
  recorder.observer.attempt(ATTEMPT);
  world.now += 1000;
  recorder.observer.attempt({ ...ATTEMPT, outcome: "http_error", status: 400, next: "retry" });
  recorder.notePing(1, { outcome: "ok", status: 200 });
  const okEvents = eventBit("product.update") | eventBit("product.user.purchase");
  const listed = await recorder.list([1]);
  assert.deepEqual([listed[0]?.lastOkAt, listed[0]?.okEvents], [5 * HOUR + 1000, okEvents]);
  await recorder.stop();
  assert.deepEqual(stored[0], listed);
});
