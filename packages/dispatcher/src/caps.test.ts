import assert from "node:assert/strict";
import { test } from "node:test";
import { Caps } from "./caps.ts";

test("a key is full at its cap, each key for itself", () => {
  const caps = new Caps<string>(2);
  caps.open("a");
  assert.equal(caps.isFull("a"), false);
  caps.open("a");
  assert.equal(caps.isFull("a"), true);
  assert.equal(caps.isFull("b"), false);
});

test("each slot that closes wakes the one who has waited longest", () => {
  const caps = new Caps<string>(2);
  caps.open("a");
  caps.open("a");
  for (const who of ["first", "second", "third"]) caps.wait("a", who);
  assert.deepEqual(caps.close("a"), ["first"]);
  caps.open("a");
  assert.deepEqual(caps.close("a"), ["second"]);
});

test("a slot that the woken one did not need is offered again with the next", () => {
  const caps = new Caps<string>(3);
  for (let i = 0; i < 3; i += 1) caps.open("a");
  for (const who of ["first", "second", "third"]) caps.wait("a", who);
  assert.deepEqual(caps.close("a"), ["first"]);
  assert.deepEqual(caps.close("a"), ["second", "third"]);
});

test("when nothing is open any more all are woken, however many slots there are", () => {
  const caps = new Caps<string>(1);
  caps.open("a");
  for (const who of ["first", "second", "third"]) caps.wait("a", who);
  assert.deepEqual(caps.close("a"), ["first", "second", "third"]);
  assert.deepEqual(caps.close("a"), []);
});

test("what was opened over the cap must close before anybody is woken", () => {
  const caps = new Caps<string>(1);
  for (let i = 0; i < 3; i += 1) caps.open("a");
  caps.wait("a", "first");
  assert.deepEqual(caps.close("a"), []);
  assert.deepEqual(caps.close("a"), []);
  assert.deepEqual(caps.close("a"), ["first"]);
});

test("who leaves is not woken", () => {
  const caps = new Caps<string>(1);
  caps.open("a");
  caps.wait("a", "first");
  caps.wait("a", "second");
  assert.equal(caps.leave("a", "first"), true);
  assert.equal(caps.leave("a", "first"), false);
  assert.equal(caps.leave("b", "first"), false);
  assert.deepEqual(caps.close("a"), ["second"]);
});
