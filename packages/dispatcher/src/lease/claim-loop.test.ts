import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClaimOutcome } from "@markethook/store";
import { claimBench, EMPTY, found, POLL, ROOM } from "../wiring/testing/claim-bench.ts";
import { turn } from "../wiring/testing/fake-clock.ts";

test("when woken it goes once round, from webhook to webhook", async (t) => {
  const { loop, requests, answer } = claimBench(t);
  answer({ cursor: 40, visited: 100 }, { cursor: 90, visited: 100 }, { visited: 3 });
  loop.wake();
  await turn();
  assert.deepEqual(
    requests.map(({ cursor }) => cursor),
    [0, 40, 90],
  );
});

test("a circle that found something is followed by another until one finds nothing", async (t) => {
  const { loop, requests, taken, answer, seen } = claimBench(t);
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

test("when every wake-up is lost it looks all the same", async (t) => {
  const { loop, clock, requests, answer, taken } = claimBench(t);
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
  const { loop, clock, requests, fake } = claimBench(t);
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
  const { loop, clock, requests, fake } = claimBench(t);
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
  const { loop, requests, fake } = claimBench(t);
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

test("an instance that stands aside claims a few every twenty polls, whatever wakes it, and all when it takes part again", async (t) => {
  const { loop, clock, requests, fake } = claimBench(t);
  fake.isAside = true;
  loop.wake();
  await turn();
  loop.blocked([{ webhookNo: 1, orderKey: 7 }]);
  loop.ended({ webhookNo: 1, orderKey: 7 });
  await clock.advance(19 * POLL);
  assert.deepEqual(
    requests.map(({ webhooks, perWebhook }) => [webhooks, perWebhook]),
    [[4, 1]],
  );
  await clock.advance(POLL);
  assert.equal(requests.length, 2);
  fake.isAside = false;
  loop.wake();
  await turn();
  assert.deepEqual(requests[2]?.hints, [{ webhookNo: 1, orderKey: 7 }]);
  assert.equal(requests[2]?.webhooks, 100);
});

test("a retry that is due before the poll has a time of its own", async (t) => {
  const { loop, clock, requests } = claimBench(t);
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
  const { loop, clock, requests, answer } = claimBench(t);
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
  const { loop, clock, requests, fake } = claimBench(t);
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

test("without an instance it takes nothing, and full webhooks are passed over", async (t) => {
  const { loop, requests, fake } = claimBench(t);
  fake.instanceNo = null;
  loop.wake();
  await turn();
  assert.equal(requests.length, 0);
  fake.instanceNo = 4;
  fake.full = [3];
  loop.wake();
  await turn();
  assert.deepEqual(
    requests.map(({ instanceNo, full }) => ({ instanceNo, full })),
    [{ instanceNo: 4, full: [3] }],
  );
});

test("a database that fails is asked less and less often, anyone who wakes; then all is as before", async (t) => {
  const { loop, clock, requests, taken, fake, seen, answer } = claimBench(t);
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
  const { loop, clock, requests, taken, fake } = claimBench(t);
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
