import assert from "node:assert/strict";
import { test } from "node:test";
import { createDatabaseFigures } from "./database-figures.ts";

/** Readings that end when the test says so, and a clock that it moves. */
function database() {
  let at = 0;
  const readings: PromiseWithResolvers<number>[] = [];
  const figures = createDatabaseFigures<number>(
    () => {
      const reading = Promise.withResolvers<number>();
      readings.push(reading);
      return reading.promise;
    },
    () => at,
  );
  return { figures, readings, advance: (ms: number) => void (at += ms) };
}

async function known(db: ReturnType<typeof database>, value: number): Promise<void> {
  const first = db.figures.latest();
  db.readings[0]?.resolve(value);
  assert.deepEqual(await first, { value, ageMs: 0, failed: false });
}

test("figures are read once in some seconds, however often they are asked for", async () => {
  const db = database();
  await known(db, 7);
  db.advance(4999);
  assert.deepEqual(await db.figures.latest(), { value: 7, ageMs: 4999, failed: false });
  assert.equal(db.readings.length, 1);
  db.advance(1);
  const next = db.figures.latest();
  db.readings[1]?.resolve(8);
  assert.equal((await next).value, 8);
});

test("a database that does not answer gets one reading, and everybody the last known figures", async () => {
  const db = database();
  await known(db, 7);
  db.advance(10_000);
  const waits = db.figures.latest();
  db.advance(100);
  for (let times = 0; times < 5; times += 1) {
    assert.deepEqual(await db.figures.latest(), { value: 7, ageMs: 10_100, failed: false });
  }
  db.advance(2900);
  assert.deepEqual(await db.figures.latest(), { value: 7, ageMs: 13_000, failed: true });
  assert.equal(db.readings.length, 2);
  db.readings[1]?.resolve(8);
  await waits;
  assert.deepEqual(await db.figures.latest(), { value: 8, ageMs: 3000, failed: false });
});

test("a failed reading is told until one succeeds", async () => {
  const db = database();
  const first = db.figures.latest();
  db.readings[0]?.reject(new Error("gone"));
  assert.deepEqual(await first, { value: null, ageMs: 0, failed: true });
  db.advance(5000);
  const second = db.figures.latest();
  db.readings[1]?.resolve(9);
  assert.deepEqual(await second, { value: 9, ageMs: 0, failed: false });
});

test("a reading that took long is not repeated for five times as long", async () => {
  const db = database();
  const first = db.figures.latest();
  db.advance(2000);
  db.readings[0]?.resolve(1);
  await first;
  db.advance(9999);
  await db.figures.latest();
  assert.equal(db.readings.length, 1);
  db.advance(1);
  const next = db.figures.latest();
  assert.equal(db.readings.length, 2);
  db.readings[1]?.resolve(2);
  await next;
});

test("after a reading that waited for half a minute the next one follows within half a minute", async () => {
  const db = database();
  const first = db.figures.latest();
  db.advance(30_000);
  db.readings[0]?.resolve(1);
  await first;
  db.advance(29_999);
  await db.figures.latest();
  assert.equal(db.readings.length, 1);
  db.advance(1);
  const gone = db.figures.latest();
  assert.equal(db.readings.length, 2);
  db.readings[1]?.reject(new Error("gone"));
  assert.equal((await gone).failed, true);
});
