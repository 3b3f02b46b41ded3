import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { Turns } from "./turns.ts";

/** Work that ends when the test says so. */
function work(): { run: () => Promise<void>; begun: () => boolean; end: () => void } {
  let begun = false;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return {
    run: async () => {
      begun = true;
      await ended;
    },
    begun: () => begun,
    end: () => end(),
  };
}

/** Long enough for every promise that can go on to go on. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
}

test("those that share run side by side", async () => {
  const turns = new Turns();
  const [one, two] = [work(), work()];
  const both = [turns.share(one.run), turns.share(two.run)];
  await settle();
  assert.ok(one.begun() && two.begun());
  one.end();
  two.end();
  await Promise.all(both);
});

test("who goes alone waits for those that share, and others wait for him", async () => {
  const turns = new Turns();
  const [before, later] = [work(), work()];
  const sharing = turns.share(before.run);
  let alone = false;
  const turn = turns.takeAlone().then((release) => {
    alone = true;
    return release;
  });
  const waiting = turns.share(later.run);
  await settle();
  assert.deepEqual([alone, later.begun()], [false, false]);
  before.end();
  await sharing;
  const release = await turn;
  await settle();
  assert.equal(later.begun(), false);
  release();
  await settle();
  assert.equal(later.begun(), true);
  later.end();
  await waiting;
});

test("neither kind starves the other", async () => {
  const turns = new Turns();
  const order: string[] = [];
  const release = await turns.takeAlone();
  const alone = [1, 2].map(async (no) => {
    const end = await turns.takeAlone();
    order.push(`alone ${no}`);
    end();
  });
  const shared = [1, 2].map(
    async (no) => await turns.share(async () => void order.push(`shared ${no}`)),
  );
  release();
  await Promise.all([...alone, ...shared]);
  assert.deepEqual(order, ["shared 1", "shared 2", "alone 1", "alone 2"]);
});

test("work that fails ends its turn too", async () => {
  const turns = new Turns();
  await assert.rejects(
    turns.share(async () => await Promise.reject(new Error("no"))),
    /no/,
  );
  const release = await turns.takeAlone();
  release();
  assert.equal(await turns.share(async () => 7), 7);
});

test("whatever the order of callers, nobody falls into another's turn alone and everybody gets one", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.boolean(), { maxLength: 20 }),
      async (s, callers) => {
        const turns = new Turns();
        let [sharing, alone, served] = [0, 0, 0];
        const check = (): void => assert.ok(alone === 0 || (alone === 1 && sharing === 0));
        const all = callers.map(async (goesAlone) => {
          await s.schedule(Promise.resolve());
          if (goesAlone) {
            const release = await turns.takeAlone();
            alone += 1;
            check();
            await s.schedule(Promise.resolve());
            check();
            alone -= 1;
            release();
          } else {
            await turns.share(async () => {
              sharing += 1;
              check();
              await s.schedule(Promise.resolve());
              check();
              sharing -= 1;
            });
          }
          served += 1;
        });
        await s.waitFor(Promise.all(all));
        assert.equal(served, callers.length);
      },
    ),
    { numRuns: 60 },
  );
});
