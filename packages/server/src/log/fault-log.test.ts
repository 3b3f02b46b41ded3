import assert from "node:assert/strict";
import { test } from "node:test";
import { MarkethookError } from "@markethook/protocol";
import pino from "pino";
import { createFaultLog } from "./fault-log.ts";

function setUp() {
  const lines: Record<string, unknown>[] = [];
  const clock = { now: 0 };
  const write = (line: string): void => void lines.push(JSON.parse(line));
  return { lines, clock, fault: createFaultLog(pino({}, { write }), () => clock.now) };
}

function away(detail = "PostgreSQL: connect ECONNREFUSED 10.0.0.5:5432."): MarkethookError {
  return new MarkethookError("store_unavailable", { detail, cause: new Error("refused") });
}

test("of each kind of database fault there is one line a second, without a stack, that counts the ones before", () => {
  const { lines, clock, fault } = setUp();
  for (; clock.now < 2000; clock.now += 10) {
    fault(clock.now % 20 === 0 ? "claim" : "answer a request", away());
    fault("settle", away("PostgreSQL: Connection terminated unexpectedly."));
  }
  assert.deepEqual(
    lines.map(({ error, repeated }) => [String(error).slice(12, 19), repeated]),
    [
      ["connect", undefined],
      ["Connect", undefined],
      ["connect", 99],
      ["Connect", 99],
    ],
  );
  assert.doesNotMatch(JSON.stringify(lines), /\bat \S+:\d+:\d+/);
});

test("operators are told what they can do, not what callers of the API can", () => {
  const { lines, fault } = setUp();
  fault("claim", away());
  fault("accept", new MarkethookError("storage_full", { detail: "PostgreSQL: disk full." }));
  fault("answer a request", new MarkethookError("outcome_unknown"));
  assert.equal(lines.length, 3);
  assert.doesNotMatch(JSON.stringify(lines), /Retry-After|idempotency/);
  assert.match(String(lines[0]?.["advice"]), /MARKETHOOK_DATABASE_URL/);
  assert.match(String(lines[1]?.["advice"]), /Free space/);
  assert.equal(lines[0]?.["code"], "store_unavailable");
});

test("a fault that nobody foresaw has its stack, each time", () => {
  const { lines, fault } = setUp();
  for (let i = 0; i < 3; i += 1) fault("deliver", new TypeError("no such member"));
  assert.equal(lines.length, 3);
  assert.match(String(lines[0]?.["error"]), /TypeError: no such member\n +at /);
});

test("the causes of such a fault have theirs, without an error's other members", () => {
  const { lines, fault } = setUp();
  const cause = Object.assign(new TypeError("no such member"), { detail: "Key (id)=(7)" });
  const around = new Error("no such member (delivery 7)", { cause });
  fault("deliver", around);
  const [first = "", second = ""] = String(lines[0]?.["error"]).split("\nCaused by: ");
  assert.match(first, /^Error: no such member \(delivery 7\)\n +at /);
  assert.match(second, /^TypeError: no such member\n +at /);
  assert.doesNotMatch(String(lines[0]?.["error"]), /Key/);
  cause.cause = cause;
  fault("deliver", around);
  assert.equal(String(lines[1]?.["error"]).split("Caused by: ").length, 5, "a circle ends");
});
