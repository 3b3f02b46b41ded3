import assert from "node:assert/strict";
import { test } from "node:test";
import { RightToWrite } from "./right-to-write.ts";

const AN_HOUR = 3_600_000;

function setUp() {
  const clock = { ahead: 0 };
  const wallNow = (): number => Date.now() + clock.ahead;
  const mine = new RightToWrite({ wallNow });
  return { clock, mine, theirs: new RightToWrite({ wallNow, memory: mine.memory }) };
}

test("what one thread grants, another sees in the same memory, for that instance alone", () => {
  const { mine, theirs } = setUp();
  assert.equal(theirs.mayWrite(1), false);
  mine.grant(1, mine.moment(), AN_HOUR);
  assert.deepEqual([theirs.mayWrite(1), theirs.mayWrite(2)], [true, false]);
  mine.grant(2, mine.moment(), AN_HOUR);
  assert.deepEqual([theirs.mayWrite(1), theirs.mayWrite(2)], [false, true]);
  mine.withdraw();
  assert.equal(theirs.mayWrite(2), false);
});

test("a right that is over is none, also where it was over when it was granted", () => {
  const { mine, theirs } = setUp();
  mine.grant(1, mine.moment(), 0);
  assert.equal(theirs.mayWrite(1), false);
  const { monotonic, clockGap } = mine.moment();
  mine.grant(1, { monotonic: monotonic - BigInt(2 * AN_HOUR), clockGap }, AN_HOUR);
  assert.equal(theirs.mayWrite(1), false);
});

test("clocks that part, as after a machine's sleep, end the right", () => {
  const { clock, mine, theirs } = setUp();
  mine.grant(1, mine.moment(), AN_HOUR);
  // A sleep by which the right would be longer than others wait.
  clock.ahead = AN_HOUR / 3 + 1000;
  assert.equal(theirs.mayWrite(1), false);
  clock.ahead = AN_HOUR / 3 - 60_000;
  assert.equal(theirs.mayWrite(1), true);
});

test("clocks that part between a heartbeat and its answer leave no right", () => {
  const { clock, mine, theirs } = setUp();
  const sent = mine.moment();
  clock.ahead = AN_HOUR;
  mine.grant(1, sent, AN_HOUR);
  assert.equal(theirs.mayWrite(1), false);
});
