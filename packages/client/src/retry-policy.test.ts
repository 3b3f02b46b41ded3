import assert from "node:assert/strict";
import { test } from "node:test";
import { UnreachableError } from "./errors.ts";
import { type Outcome, readRetryAfter, waitBeforeRetry } from "./retry-policy.ts";

const SETTINGS = { retries: 4, backoffMs: 100, maxWaitMs: 1000 };
const busy: Outcome = { response: new Response(null, { status: 503 }) };
const wait = (outcome: Outcome, tries: number, random: number, repeatable = true): number | null =>
  waitBeforeRetry(outcome, tries, repeatable, SETTINGS, random, 0);

test("waits double, up to the longest, with a random half", () => {
  assert.deepEqual(
    [1, 2, 3, 4].map((tries) => wait(busy, tries, 1)),
    [100, 200, 400, 800],
  );
  assert.deepEqual([wait(busy, 1, 0), wait(busy, 4, 0)], [50, 400]);
  assert.equal(wait(busy, 5, 0), null);
  const many = { ...SETTINGS, retries: 99 };
  assert.equal(waitBeforeRetry(busy, 50, true, many, 1, 0), 1000);
});

test("Retry-After is the least that is waited, and all do not come back at the same moment", () => {
  const asked = (value: string): Outcome => ({
    response: new Response(null, { status: 429, headers: { "retry-after": value } }),
  });
  assert.equal(wait(asked("1"), 1, 0), 1000);
  assert.equal(wait(asked("1"), 1, 1), 1050);
  assert.equal(wait(asked("2"), 1, 0), null);
});

test("only busy answers are waited for", () => {
  for (const status of [200, 202, 400, 401, 404, 409, 422, 500]) {
    assert.equal(wait({ response: new Response(null, { status }) }, 1, 0), null, String(status));
  }
  for (const status of [408, 429, 502, 503, 504]) {
    const outcome = { response: new Response(null, { status }) };
    assert.equal(wait(outcome, 1, 1), 100, String(status));
    assert.equal(wait(outcome, 1, 1, false), null);
  }
});

test("a failure is repeated where nothing can have been done, or nothing can be done twice", () => {
  const failure = (reason: "refused" | "tls" | "dropped", late: boolean): Outcome => ({
    failure: new UnreachableError("", reason, late),
  });
  assert.equal(wait(failure("refused", false), 1, 1, false), 100);
  assert.equal(wait(failure("dropped", true), 1, 1), 100);
  assert.equal(wait(failure("dropped", true), 1, 1, false), null);
  assert.equal(wait(failure("tls", false), 1, 1), null);
});

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const read = (value: string, date?: string): number | null =>
  readRetryAfter(
    new Headers({ "retry-after": value, ...(date === undefined ? {} : { date }) }),
    NOW,
  );

test("seconds are seconds", () => {
  assert.equal(read("0"), 0);
  assert.equal(read(" 120 "), 120);
  assert.equal(read("9".repeat(400)), Number.MAX_SAFE_INTEGER);
});

test("a date is compared with the answer's own date, or with ours", () => {
  assert.equal(read("Fri, 02 Jan 2026 03:04:35 GMT"), 30);
  assert.equal(read("Fri, 02 Jan 2026 03:04:35 GMT", "Fri, 02 Jan 2026 03:04:30 GMT"), 5);
  assert.equal(read("Fri, 02 Jan 2026 03:00:00 GMT"), 0);
});

test("anything else says nothing", () => {
  for (const value of ["", "soon", "-1", "1.5"]) assert.equal(read(value), null, value);
  assert.equal(readRetryAfter(new Headers(), NOW), null);
});
