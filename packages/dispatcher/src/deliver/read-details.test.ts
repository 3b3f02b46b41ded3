import assert from "node:assert/strict";
import { test } from "node:test";
import { turn } from "../wiring/testing/fake-clock.ts";
import { createReadDetails } from "./read-details.ts";

function setUp() {
  const queries: { eventSeqs: readonly number[]; answer(): void }[] = [];
  const fake = { damaged: new Set<number>() };
  const read = createReadDetails({
    details: (eventSeqs) =>
      new Promise((resolve, reject) => {
        const answer = (): void => {
          if (eventSeqs.some((seq) => fake.damaged.has(seq))) reject(new TypeError("no text"));
          else resolve(new Map(eventSeqs.map((seq) => [seq, `{"orderId":${seq}}`])));
        };
        queries.push({ eventSeqs, answer });
      }),
  });
  return { queries, fake, read };
}

test("hundreds of requests that wait for details share a query, and no more than two run at once", async () => {
  const { queries, read } = setUp();
  const reading = [1, 2, 3].map((seq) => read(seq));
  await turn();
  for (let seq = 4; seq <= 600; seq += 1) reading.push(read(seq));
  await turn();
  assert.deepEqual(
    queries.map(({ eventSeqs }) => eventSeqs.length),
    [3, 256],
  );
  for (const { answer } of queries) answer();
  await turn();
  for (const { answer } of queries.slice(2)) answer();
  const found = await Promise.all(reading);
  assert.deepEqual([found.length, found[0], found[599]], [600, '{"orderId":1}', '{"orderId":600}']);
  assert.equal(queries.length, 4);
});

test("details that cannot be read fail their own request only", async () => {
  const { queries, fake, read } = setUp();
  fake.damaged.add(2);
  const reading = Promise.allSettled([1, 2, 3].map((seq) => read(seq)));
  for (let at = 0; at < 5; at += 1) {
    await turn();
    queries[at]?.answer();
  }
  assert.deepEqual(
    (await reading).map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled"],
  );
});
