import assert from "node:assert/strict";
import { test } from "node:test";
import { MarkethookError } from "@markethook/protocol";
import type { AcceptOutcome } from "@markethook/store";
import { createAcceptHealth } from "./accept-health.ts";
import { createReadiness } from "./readiness.ts";

/** Accepts that end when the test says so, trial ones that work or not, and a clock that it moves. */
function accepting() {
  let at = 0;
  const health = createAcceptHealth(() => at);
  const open: PromiseWithResolvers<AcceptOutcome>[] = [];
  const accept = health.watch(async () => {
    const one = Promise.withResolvers<AcceptOutcome>();
    open.push(one);
    return await one.promise;
  });
  const trials = { works: true, count: 0 };
  const readiness = createReadiness({
    store: {
      maintenance: {
        checkWritable: async () => {},
        async tryAccept() {
          trials.count += 1;
          if (!trials.works) throw new MarkethookError("storage_full");
        },
      } as unknown as Parameters<typeof createReadiness>[0]["store"]["maintenance"], // All that is asked for.
    },
    dispatcher: { statistics: () => ({ mayWrite: true }) } as unknown as Parameters<
      typeof createReadiness
    >[0]["dispatcher"], // The same.
    accepts: health,
    now: () => at,
    remarks: {},
    isStopping: () => false,
  });
  return {
    trials,
    readiness,
    advance: (ms: number) => void (at += ms),
    begin() {
      const done = accept([], null);
      done.catch(() => undefined);
      const one = open.pop();
      assert.ok(one);
      return {
        async work() {
          one.resolve({
            results: [],
            preLeased: [],
            webhooks: [],
            notPreLeased: 0,
            claimable: 0,
            blocked: [],
          });
          await done;
        },
        async fail(error: Error = new MarkethookError("storage_full")) {
          one.reject(error);
          await assert.rejects(done);
        },
      };
    },
  };
}

test("accepts that fail for some seconds make an instance unready, with the reason", async () => {
  const a = accepting();
  a.trials.works = false;
  await a.begin().fail();
  a.advance(2000);
  await a.begin().fail();
  assert.equal((await a.readiness()).ready, true);
  a.advance(2000);
  const { ready, checks } = await a.readiness();
  assert.deepEqual(
    [ready, checks["accepts"], checks["store"]],
    [false, "failing for 4 s (storage_full)", "writable"],
  );
  await a.begin().work();
  a.advance(1001);
  assert.equal((await a.readiness()).checks["accepts"], "stored");
});

test("one report that the database refuses, repeated for ever, leaves an instance ready while trial accepts work", async () => {
  const a = accepting();
  for (let second = 0; second < 30; second += 1) {
    await a.begin().fail(new TypeError("its resource is damaged"));
    a.advance(1001);
    assert.equal((await a.readiness()).ready, true, `after ${second} s`);
  }
  a.trials.works = false;
  for (let second = 0; second < 5; second += 1) {
    await a.begin().fail(new TypeError("every row is damaged"));
    a.advance(1001);
  }
  assert.equal((await a.readiness()).ready, false);
});

test("accepts that wait for their commit do too, but not one among others that work", async () => {
  const a = accepting();
  a.trials.works = false;
  const stuck = a.begin();
  a.advance(2000);
  await a.begin().work();
  a.advance(2000);
  assert.equal((await a.readiness()).ready, true);
  a.advance(1500);
  const { ready, checks } = await a.readiness();
  assert.deepEqual([ready, checks["accepts"]], [false, "waiting for 3 s for the database"]);
  await stuck.work();
  a.advance(1001);
  assert.equal((await a.readiness()).ready, true);
});

test("a trial accept restores readiness while nobody reports anything, and none is made while all is well", async () => {
  const a = accepting();
  a.trials.works = false;
  await a.readiness();
  assert.equal(a.trials.count, 0);
  await a.begin().fail();
  a.advance(5000);
  assert.equal((await a.readiness()).ready, false);
  a.trials.works = true;
  a.advance(1001);
  assert.equal((await a.readiness()).ready, true);
  a.advance(60_000);
  assert.equal((await a.readiness()).ready, true);
  assert.equal(a.trials.count, 2);
});

test("a trial accept that was belied by a real one is not believed for ten seconds", async () => {
  const a = accepting();
  await a.begin().fail();
  a.advance(5000);
  assert.equal((await a.readiness()).ready, true);
  a.advance(1001);
  await a.begin().fail();
  for (let seconds = 0; seconds < 9; seconds += 1) {
    assert.equal((await a.readiness()).ready, false);
    a.advance(1001);
  }
  a.advance(1001);
  assert.equal((await a.readiness()).ready, true);
});
