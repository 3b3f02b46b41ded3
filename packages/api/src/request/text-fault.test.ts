import assert from "node:assert/strict";
import { test } from "node:test";
import { findTextFault } from "./text-fault.ts";

test("sound text of any script is let through", () => {
  assert.equal(findTextFault({ a: ["é", "é", "😀", "مرحبا", "\u0001", null, 1, true] }), null);
});

test("U+0000 and half a surrogate pair are found wherever they stand", () => {
  const lone = JSON.parse('"\\ud83d"');
  assert.deepEqual(findTextFault({ a: [{ b: "x\0" }] })?.pointer, "/a/0/b");
  assert.equal(findTextFault({ a: lone })?.code, "text_invalid");
  assert.equal(findTextFault({ [lone]: 1 })?.code, "text_invalid");
  assert.equal(findTextFault({ "a\0": 1 })?.code, "text_invalid");
});

test("a pointer repeats at most 64 characters of a name, with its slashes escaped", () => {
  const fault = findTextFault({ ["a/~".repeat(100)]: "\0" });
  assert.ok(fault);
  assert.ok(fault.pointer.startsWith("/a~1~0a~1~0"));
  assert.ok(fault.pointer.length < 150);
});
