import assert from "node:assert/strict";
import { test } from "node:test";
import type { InstanceBeat } from "@markethook/store";
import { watchForSilence } from "./silent-instances.ts";

const LEASE = 8000;

/** Looks once in an eighth of a lease at what these instances' last heartbeats are. */
function watchFor() {
  let clock = 0;
  const findSilent = watchForSilence(LEASE, () => clock);
  const beats = new Map<number, number>();
  const list = async (): Promise<InstanceBeat[]> =>
    Array.from(beats, ([instanceNo, renewedAt]) => ({ instanceNo, renewedAt }));
  return {
    beats,
    pass: (ms: number) => void (clock += ms),
    look: (during: () => Promise<InstanceBeat[]> = list) => findSilent(during),
    async lookFor(ms: number): Promise<number[]> {
      const found = new Set<number>();
      for (const end = clock + ms; clock < end; clock += LEASE / 8) {
        for (const { instanceNo } of await findSilent(list)) found.add(instanceNo);
      }
      return [...found];
    },
  };
}

test("an instance is silent when the same heartbeat has been its last one for a whole lease", async () => {
  const { beats, look, lookFor } = watchFor();
  beats.set(1, 100);
  beats.set(2, 100);
  assert.deepEqual(await lookFor(LEASE), []);
  beats.set(2, 101);
  assert.deepEqual(await look(), [{ instanceNo: 1, renewedAt: 100 }]);
  assert.deepEqual(await lookFor(LEASE), [1]);
  assert.deepEqual(await look(), [
    { instanceNo: 1, renewedAt: 100 },
    { instanceNo: 2, renewedAt: 101 },
  ]);
});

test("however the database's clock is set, those who go on are not silent, and those who ended are", async () => {
  const { beats, lookFor } = watchFor();
  beats.set(1, 1_000_000);
  beats.set(2, 1_000_000);
  for (const setTo of [9_000_000, 5000]) {
    beats.set(1, setTo);
    assert.ok(!(await lookFor(LEASE)).includes(1));
  }
  assert.deepEqual(await lookFor(1000), [1, 2]);
});

test("after a failover that lost heartbeats the lease counts again", async () => {
  const { beats, lookFor } = watchFor();
  beats.set(1, 100);
  assert.deepEqual(await lookFor(LEASE - 2000), []);
  beats.set(1, 200);
  assert.deepEqual(await lookFor(1000), []);
  beats.set(1, 100);
  assert.deepEqual(await lookFor(LEASE), []);
  assert.deepEqual(await lookFor(1000), [1]);
});

test("anyone who did not look, or could not, has seen nothing before", async () => {
  const { beats, look, lookFor, pass } = watchFor();
  beats.set(1, 100);
  await lookFor(LEASE - 1000);
  pass(LEASE);
  assert.deepEqual(await lookFor(LEASE), [], "it was stopped");
  await assert.rejects(look(() => Promise.reject(new Error("no database"))));
  assert.deepEqual(await lookFor(LEASE), []);
  const slow = await look(async () => {
    pass(LEASE);
    return [{ instanceNo: 1, renewedAt: 100 }];
  });
  assert.deepEqual(slow, [], "an answer of a database that hung may be from before");
});

test("a slow answer makes no heartbeat older than it was when this process asked", async () => {
  const { beats, look, lookFor, pass } = watchFor();
  beats.set(1, 100);
  await lookFor(LEASE - 1000);
  assert.deepEqual(await look(), []);
  pass(500);
  const slow = await look(async () => {
    pass(0.4 * LEASE);
    return [{ instanceNo: 1, renewedAt: 100 }];
  });
  assert.deepEqual(slow, [], "it may have renewed its lease since");
  assert.deepEqual(await look(), [{ instanceNo: 1, renewedAt: 100 }]);
});
