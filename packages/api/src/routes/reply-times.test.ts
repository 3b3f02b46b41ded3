import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_REPLIES, REPLY_LIMITS_MS } from "@markethook/store";
import { replyTimes } from "./activity.ts";

const counted = (times: readonly number[]): number[] =>
  NO_REPLIES.map(
    (_, index) =>
      times.filter(
        (ms) =>
          ms > (REPLY_LIMITS_MS[index - 1] ?? -1) && ms <= (REPLY_LIMITS_MS[index] ?? Infinity),
      ).length,
  );

test("no reply has no time", () => {
  assert.equal(replyTimes(NO_REPLIES), null);
});

test("percentiles lie in the range of the replies that they are about", () => {
  const times = replyTimes(counted([...Array<number>(94).fill(30), ...Array<number>(6).fill(700)]));
  assert.ok(times !== null && times.p50 > 20 && times.p50 <= 50, JSON.stringify(times));
  assert.ok(times.p95 > 500 && times.p95 <= 1000, JSON.stringify(times));
});

test("evenly spread replies come out as they are", () => {
  assert.deepEqual(replyTimes(counted(Array.from({ length: 1000 }, (_, ms) => ms + 1))), {
    p50: 500,
    p95: 950,
  });
});

test("replies slower than the last limit count as that limit", () => {
  assert.deepEqual(replyTimes(counted([20_000, 30_000])), { p50: 10_000, p95: 10_000 });
});
