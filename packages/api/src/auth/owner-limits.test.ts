import assert from "node:assert/strict";
import { test } from "node:test";
import { isMarkethookError } from "@markethook/protocol";
import { createOwnerLimits } from "./owner-limits.ts";

const LIMITS = { pings: 2, sends: 0, checkups: 0, urlChecks: 0, bulkActions: 1, changes: 0 };
const refused = (error: unknown): boolean => isMarkethookError(error, "owner_limit_reached");

test("within any minute no more is done than may be, whenever the minute begins", () => {
  let now = 0;
  const limits = createOwnerLimits(LIMITS, () => now);
  limits.count("o", "pings");
  now = 50_000;
  limits.count("o", "pings");
  assert.throws(
    () => limits.count("o", "pings"),
    (error) => refused(error) && (error as { detail: object }).detail !== undefined,
  );
  now = 60_000;
  limits.count("o", "pings");
  assert.throws(() => limits.count("o", "pings"), refused);
});

test("owners and actions are counted apart, and zero is no limit", () => {
  const limits = createOwnerLimits(LIMITS, () => 0);
  limits.count("o", "bulkActions");
  assert.throws(() => limits.count("o", "bulkActions"), refused);
  limits.count("p", "bulkActions");
  limits.count("o", "pings");
  for (let i = 0; i < 1000; i += 1) {
    limits.count("o", "urlChecks");
    limits.count(null, "bulkActions");
  }
});

test("steps that go on count once, and one that comes again counts again", () => {
  const limits = createOwnerLimits({ ...LIMITS, bulkActions: 2 }, () => 0);
  limits.countStep("o", undefined);
  for (const cursor of ["a", "b", "c", "d"]) limits.countStep("o", cursor);
  limits.countStep("o", "c");
  assert.throws(() => limits.countStep("o", "c"), refused);
  assert.throws(() => limits.countStep("o", undefined), refused);
  limits.countStep("o", "e");
});
