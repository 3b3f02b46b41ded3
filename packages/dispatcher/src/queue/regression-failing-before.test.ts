import assert from "node:assert/strict";
import { test } from "node:test";
import { queueBench } from "../wiring/testing/queue-bench.ts";
import { sampleWebhook } from "../wiring/testing/samples.ts";

test("webhooks that failed before this process began keep no new webhook waiting", (t) => {
  const { push, open, openOf } = queueBench(t, { concurrency: 10 }, (no) => ({
    ...sampleWebhook({ no }),
    failing: no <= 30,
  }));
  for (let no = 1; no <= 30; no += 1) push(no, 1);
  assert.equal(open.length, 3, "30 % of the slots");
  push(40, 1);
  assert.equal(openOf(40).length, 1);
});

test("a webhook that failed before this process began is like any other after a good answer", (t) => {
  const { push, open, openOf } = queueBench(t, { concurrency: 10 }, (no) => ({
    ...sampleWebhook({ no }),
    failing: true,
  }));
  push(1, 1);
  openOf(1)[0]?.finish(true);
  for (let no = 2; no <= 30; no += 1) push(no, 1);
  assert.equal(open.length, 3);
  push(1, 1);
  assert.equal(openOf(1).length, 1);
});
