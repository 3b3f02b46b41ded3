import assert from "node:assert/strict";
import { test } from "node:test";
import { RowsReadPast } from "./rows-read-past.ts";

const SLOW_MS = 100;
const PAGE = 2;

/** Rows of one webhook, by due time. */
const scanned = (dueAts: number[], tookMs = SLOW_MS) => ({
  visited: [1],
  candidates: dueAts.map((dueAt) => ({ webhookNo: 1, seq: dueAt * 10, dueAt })),
  tookMs,
});

test("scans that are fast begin at the oldest row", () => {
  const past = new RowsReadPast(() => 0, SLOW_MS);
  past.note(scanned([1, 2], SLOW_MS - 1), PAGE);
  assert.equal(past.positions(), null);
});

test("after a slow one each scan goes on where the last one ended, for twenty times as long as it took", () => {
  let at = 0;
  const past = new RowsReadPast(() => at, SLOW_MS);
  past.note(scanned([1, 2]), PAGE);
  assert.deepEqual(past.positions(), [[1], [2], [20]]);
  at = 20 * SLOW_MS - 1;
  past.note(scanned([3, 4], 1), PAGE);
  assert.deepEqual(past.positions(), [[1], [4], [40]]);
  at = 20 * SLOW_MS;
  assert.equal(past.positions(), null);
});

test("at the end of a backlog it begins at the oldest row again after four times as long", () => {
  let at = 0;
  const past = new RowsReadPast(() => at, SLOW_MS);
  past.note(scanned([1, 2]), PAGE);
  past.note(scanned([], 1), PAGE);
  at = 4 * SLOW_MS - 1;
  assert.deepEqual(past.positions(), [[1], [2], [20]]);
  at = 4 * SLOW_MS;
  assert.equal(past.positions(), null);
});
