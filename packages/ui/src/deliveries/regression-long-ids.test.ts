import assert from "node:assert/strict";
import { test } from "node:test";
import { ownUserId } from "../sample/sample-body.ts";
import { readUserId } from "./log-filter.ts";

test("every user id that can be reported is read as one, the longest too", () => {
  assert.equal(readUserId("4711"), 4711);
  assert.equal(readUserId(String(Number.MAX_SAFE_INTEGER)), Number.MAX_SAFE_INTEGER);
  for (const text of ["0", "04711", "-1", "47.5", "x", "", "9007199254740993", null, undefined]) {
    assert.equal(readUserId(text), null, String(text));
  }
});

test("a sample is about the owner's own user id, also where that is long", () => {
  assert.equal(ownUserId("1795243145000001"), 1_795_243_145_000_001);
  assert.equal(ownUserId("owner-1"), 1);
});
