import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyTally, progressText } from "./tally.ts";

test("progress tells share, count, speed and time left of this run, not of the one before", () => {
  const tally = emptyTally();
  tally.webhook.created = 30_000;
  tally.other.rejected = 2;
  const begun = { records: 10_002, bytes: 100 };
  assert.equal(
    progressText(tally, 300, 1000, begun, 10),
    "30 %, 30,002 records, 2,000/s, 2 rejected, 35 s left",
  );
  const fromNothing = { records: 0, bytes: 0 };
  assert.match(progressText(tally, 10, 100_000, fromNothing, 10), /, 27 h 47 min left$/);
});

test("of a stream nobody knows how much is to come", () => {
  const text = progressText(emptyTally(), 500, null, { records: 0, bytes: 0 }, 0);
  assert.equal(text, "0 records, 0/s");
});
