import assert from "node:assert/strict";
import { test } from "node:test";
import type { OldestDue } from "@markethook/store";
import { createOldestDue } from "./oldest-due.ts";

/** Webhooks 1 to `count` with something waiting, each due since a time; a look takes 100 ms. */
function queue(count: number, kept: readonly number[] = []) {
  let at = 1_000_000;
  const dueSince = new Map<number, number>();
  const looks: number[] = [];
  const ageMs = createOldestDue(
    {
      async oldestDue(above, upTo, most, without = []): Promise<OldestDue> {
        at += 100;
        const last = Math.min(upTo, count, above + most);
        const webhooks = Math.max(0, last - above);
        looks.push(webhooks);
        const since = [...dueSince].filter(
          ([no]) => no > above && no <= last && !without.includes(no),
        );
        const oldest = Math.min(at, ...since.map(([, time]) => time));
        return { ageMs: at - oldest, webhooks, lastNo: webhooks === most ? last : null };
      },
    },
    () => at,
    () => kept,
  );
  return { dueSince, looks, ageMs, now: () => at, resize: (to: number) => void (count = to) };
}

test("of some thousand webhooks the oldest due delivery is found at once", async () => {
  const q = queue(4000);
  assert.equal(await q.ageMs(), 0);
  q.dueSince.set(3000, q.now() - 60_000);
  q.dueSince.set(10, q.now() - 5000);
  assert.equal(await q.ageMs(), 60_100);
  assert.deepEqual(q.looks, [4000, 4000]);
});

test("a webhook whose receiver keeps it waiting does not count, in no slice", async () => {
  const q = queue(20_000, [7, 15_000]);
  q.dueSince.set(7, q.now() - 60_000);
  q.dueSince.set(15_000, q.now() - 60_000);
  assert.equal(await q.ageMs(), 0);
  q.dueSince.set(12_000, q.now() - 5000);
  assert.ok((await q.ageMs()) < 10_000);
});

test("of a million, each round looks at a bounded number, and a circle finds the oldest", async () => {
  const q = queue(1_000_000);
  q.dueSince.set(999_999, q.now() - 60_000);
  let rounds = 0;
  while ((await q.ageMs()) === 0) rounds += 1;
  assert.ok(rounds >= 10 && rounds <= 25, `${rounds}`);
  assert.ok(Math.max(...q.looks) <= 5000);
  const before = q.looks.length;
  await q.ageMs();
  assert.ok(q.looks.length - before <= 11, "a round is bounded");
});

test("what was sent meanwhile is not told again, and the next oldest is", async () => {
  const q = queue(1_000_000);
  q.dueSince.set(7, q.now() - 90_000);
  q.dueSince.set(500_000, q.now() - 60_000);
  for (let round = 0; round < 25; round += 1) await q.ageMs();
  q.dueSince.delete(7);
  const age = await q.ageMs();
  assert.equal(age, q.now() - (q.dueSince.get(500_000) ?? 0));
  q.dueSince.delete(500_000);
  assert.equal(await q.ageMs(), 0);
});

test("when the many have drained, one look is enough again", async () => {
  const q = queue(100_000);
  for (let round = 0; round < 5; round += 1) await q.ageMs();
  q.resize(10);
  for (let round = 0; round < 5; round += 1) await q.ageMs();
  const before = q.looks.length;
  q.dueSince.set(3, q.now() - 1000);
  assert.ok((await q.ageMs()) > 1000);
  assert.equal(q.looks.length - before, 1);
});
