import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClaimRequest } from "@markethook/store";
import { claimBench, found } from "../wiring/testing/claim-bench.ts";
import { turn } from "../wiring/testing/fake-clock.ts";
import { sampleDelivery } from "../wiring/testing/samples.ts";

function portions(requests: readonly ClaimRequest[]): [number, number][] {
  return requests.map(({ webhooks, perWebhook }) => [webhooks, perWebhook]);
}

test("it takes few of each webhook where many wait, and many where few do", async (t) => {
  const { loop, requests, answer } = claimBench(t);
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
  const { loop, requests, answer } = claimBench(t);
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
  const { loop, requests } = claimBench(t);
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
  const { loop, requests, fake, answer } = claimBench(t);
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

test("what it may bring is reserved while it is under way, and given back whatever comes of it", async (t) => {
  const { loop, fake } = claimBench(t);
  const reserved: number[] = [];
  fake.averageBytes = 1000;
  fake.claim = async () => {
    reserved.push(fake.reserved);
    throw new Error("no database");
  };
  loop.wake();
  await turn();
  assert.deepEqual(reserved, [256_000]);
  assert.equal(fake.reserved, 0);
});
