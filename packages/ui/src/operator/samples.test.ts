import assert from "node:assert/strict";
import { test } from "node:test";
import { lineOf, withSample } from "./samples.ts";

const sample = (seconds: number, value: number) => ({
  at: 1_700_000_000_000 + seconds * 1000,
  value,
});

test("a trend is drawn by time, and broken where the page could read nothing", () => {
  const samples = [sample(0, 4), sample(2, 8), sample(602, 2), sample(604, 2)];
  assert.equal(
    lineOf(samples, ({ value }) => value),
    "M0 50 h1 L2000 0 M602000 75 h1 L604000 75",
  );
});

test("a trend of zeros lies on the ground, and a reading alone is seen", () => {
  assert.equal(
    lineOf([sample(0, 0)], ({ value }) => value),
    "M0 100 h1",
  );
});

test("readings are kept for a quarter of an hour, however many are missing", () => {
  const samples = [sample(0, 1), sample(100, 2)];
  assert.deepEqual(withSample(samples, sample(950, 3)), [sample(100, 2), sample(950, 3)]);
  assert.deepEqual(withSample(samples, sample(-60, 3)), [sample(-60, 3)]);
});
