import assert from "node:assert/strict";
import { test } from "node:test";
import { RateWindow } from "./rate-window.ts";

test("no second holds more than the limit, wherever it begins", () => {
  const window = new RateWindow(() => 20);
  const sent: number[] = [];
  for (let now = 0; now < 10_000; now += 7) {
    if (window.freeAt(now) > now) continue;
    window.note(now);
    sent.push(now);
  }
  for (const from of sent) {
    const inSecond = sent.filter((at) => at >= from && at < from + 1000).length;
    assert.ok(inSecond <= 20, `${inSecond} from ${from}`);
  }
  assert.ok(sent.length > 170, `${sent.length} in ten seconds`);
});

test("of less than one in a second, one goes in as many seconds as that takes", () => {
  const window = new RateWindow(() => 0.5);
  window.note(0);
  const free = window.freeAt(20);
  assert.ok(free > 2000 && free < 2200, `${free}`);
  assert.deepEqual([window.room(free - 1), window.room(free)], [0, 1]);
});

test("it says when there is room again, and how much", () => {
  const window = new RateWindow(() => 2);
  assert.deepEqual([window.room(0), window.freeAt(0)], [2, 0]);
  window.note(0);
  window.note(10);
  assert.equal(window.room(20), 0);
  const free = window.freeAt(20);
  assert.ok(free > 1000 && free < 1100);
  assert.equal(window.room(free), 1);
});
