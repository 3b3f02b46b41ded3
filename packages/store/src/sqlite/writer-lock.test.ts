import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { WriterLock } from "./writer-lock.ts";

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
  const writerLock = new WriterLock();
  const [one, two] = [work(), work()];
  const both = [writerLock.share(one.run), writerLock.share(two.run)];
  await settle();
  assert.ok(one.begun() && two.begun());
  one.end();
  two.end();
  await Promise.all(both);
});

test("who goes alone waits for those that share, and others wait for him", async () => {
  const writerLock = new WriterLock();
  const [before, later] = [work(), work()];
  const sharing = writerLock.share(before.run);
  let alone = false;
  const turn = writerLock.takeAlone().then((release) => {
    alone = true;
    return release;
  });
  const waiting = writerLock.share(later.run);
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
  const writerLock = new WriterLock();
  const order: string[] = [];
  const release = await writerLock.takeAlone();
  const alone = [1, 2].map(async (no) => {
    const end = await writerLock.takeAlone();
    order.push(`alone ${no}`);
    end();
  });
  const shared = [1, 2].map(
    async (no) => await writerLock.share(async () => void order.push(`shared ${no}`)),
  );
  release();
  await Promise.all([...alone, ...shared]);
  assert.deepEqual(order, ["shared 1", "shared 2", "alone 1", "alone 2"]);
});

test("work that fails ends its turn too", async () => {
  const writerLock = new WriterLock();
  await assert.rejects(
    writerLock.share(async () => await Promise.reject(new Error("no"))),
    /no/,
  );
  const release = await writerLock.takeAlone();
  release();
  assert.equal(await writerLock.share(async () => 7), 7);
});

test("whatever the order of callers, nobody falls into another's turn alone and everybody gets one", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.boolean(), { maxLength: 20 }),
      async (s, callers) => {
        const writerLock = new WriterLock();
        let [sharing, alone, served] = [0, 0, 0];
        const check = (): void => assert.ok(alone === 0 || (alone === 1 && sharing === 0));
        const all = callers.map(async (goesAlone) => {
          await s.schedule(Promise.resolve());
          if (goesAlone) {
            const release = await writerLock.takeAlone();
            alone += 1;
            check();
            await s.schedule(Promise.resolve());
            check();
            alone -= 1;
            release();
          } else {
            await writerLock.share(async () => {
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
