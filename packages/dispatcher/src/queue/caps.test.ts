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

/** What a woken waiter does when its turn comes. */
function goes(caps: Caps<string>, key: string): readonly string[] {
  caps.answer(key, "");
  caps.open(key);
  return caps.passOn(key, false);
}

function declines(caps: Caps<string>, key: string): readonly string[] {
  caps.answer(key, "");
  return caps.passOn(key, true);
}

function waiting(cap: number, waiters: number): Caps<string> {
  const caps = new Caps<string>(cap);
  for (let i = 0; i < cap; i += 1) caps.open("a");
  for (let i = 1; i <= waiters; i += 1) caps.wait("a", `${i}`);
  return caps;
}

test("each slot that closes is offered to the one who has waited longest", () => {
  const caps = waiting(2, 3);
  assert.deepEqual(caps.close("a"), ["1"]);
  assert.deepEqual(goes(caps, "a"), []);
  assert.deepEqual(caps.close("a"), ["2"]);
});

test("no more are woken than can go, however many slots close before they have tried", () => {
  const caps = waiting(3, 100);
  assert.deepEqual(caps.close("a"), ["1"]);
  assert.deepEqual(caps.close("a"), ["2"]);
  assert.deepEqual(caps.close("a"), ["3"], "nothing is open now");
  for (let i = 0; i < 3; i += 1) assert.deepEqual(goes(caps, "a"), []);
  assert.equal(caps.isFull("a"), true);
});

test("what is offered to one is taken for all others", () => {
  const caps = waiting(1, 1);
  assert.deepEqual(caps.close("a"), ["1"]);
  assert.equal(caps.isFull("a"), true);
  caps.answer("a", "1");
  assert.equal(caps.isFull("a"), false);
});

test("a slot that the woken one did not need is offered to the next", () => {
  const caps = waiting(3, 3);
  assert.deepEqual(caps.close("a"), ["1"]);
  assert.deepEqual(declines(caps, "a"), ["2"]);
  assert.deepEqual(goes(caps, "a"), []);
  assert.deepEqual(caps.close("a"), ["3"]);
});

test("while a slot is open few are asked in vain; the next that closes asks on", () => {
  const caps = waiting(2, 1000);
  let asked = 1;
  caps.close("a");
  while (declines(caps, "a").length > 0) asked += 1;
  assert.ok(asked > 1 && asked < 50, `${asked} were asked`);
  caps.open("a");
  assert.deepEqual(caps.close("a"), [`${asked + 1}`]);
});

test("when nothing is open any more all are asked, for nobody else would wake them", () => {
  const caps = waiting(1, 1000);
  let asked = 1;
  assert.deepEqual(caps.close("a"), ["1"]);
  while (declines(caps, "a").length > 0) asked += 1;
  assert.equal(asked, 1000);
  assert.deepEqual(caps.passOn("a", true), []);
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

test("who waits for something else keeps its slot, one at a time, and it wakes nobody meanwhile", () => {
  const caps = waiting(4, 100);
  for (const woken of ["1", "2"]) assert.deepEqual(caps.close("a"), [woken]);
  caps.answer("a", "1");
  assert.equal(caps.keep("a", "1"), true);
  caps.answer("a", "2");
  assert.equal(caps.keep("a", "2"), false, "one keeps a slot already");
  assert.deepEqual(caps.passOn("a", true), ["3"]);
  caps.answer("a", "1");
  assert.equal(caps.keep("a", "1"), true, "its own one it may keep again");
});

test("where there are few slots none is kept", () => {
  const caps = waiting(3, 2);
  caps.close("a");
  caps.answer("a", "1");
  assert.equal(caps.keep("a", "1"), false);
});

test("slow ones hold three quarters of a divided key, an eighth is for first requests, some for proven ones", () => {
  const caps = new Caps<string>(64, { divided: true });
  const full = () =>
    (["slow", "more", "new", "proven"] as const).filter((standing) => caps.isFull("a", standing));
  for (let i = 0; i < 48; i += 1) caps.open("a", true);
  assert.deepEqual(full(), ["slow"]);
  for (let i = 0; i < 8; i += 1) caps.open("a");
  assert.deepEqual(full(), ["slow", "more"]);
  for (let i = 0; i < 6; i += 1) caps.open("a");
  assert.deepEqual(full(), ["slow", "more", "new"]);
  for (let i = 0; i < 2; i += 1) caps.open("a");
  assert.deepEqual(full(), ["slow", "more", "new", "proven"]);
});

test("the lines of a divided key are asked in turns", () => {
  const caps = new Caps<string>(8, { divided: true });
  for (let i = 0; i < 8; i += 1) caps.open("a");
  for (const line of ["slow", "slow", "slow", "proven", "new"] as const) {
    caps.wait("a", line, line);
  }
  const woken = [0, 1, 2, 3, 4].flatMap(() => caps.close("a"));
  assert.deepEqual(new Set(woken.slice(0, 3)), new Set(["proven", "new", "slow"]));
});
