import assert from "node:assert/strict";
import { test } from "node:test";
import { watchClock } from "./watch-clock.ts";

const NOW = 1_800_000_000_000;

function storeWith(exclusive: boolean, now: () => Promise<number>) {
  return { exclusive, maintenance: { now } } as Parameters<typeof watchClock>[0]; // All that is asked for.
}

/** What a start says on a machine whose clock is off by so much before and after the database's was read. */
async function warned(exclusive: boolean, ...offMs: number[]): Promise<string[]> {
  const lines: string[] = [];
  const wallNow = (): number => NOW + (offMs.shift() ?? 0);
  const warn = (line: unknown): void => void lines.push(String(line));
  const end = await watchClock(
    storeWith(exclusive, async () => NOW),
    wallNow,
    { warn },
  );
  await end();
  return lines;
}

test("a start on a machine whose clock differs from the database's is warned of, and says how and what to do", async () => {
  assert.deepEqual(await warned(false, 4000, 4100), []);
  // A database that takes long to answer says nothing about the clocks.
  assert.deepEqual(await warned(false, -10_000, 10_000), []);
  assert.match(
    String(await warned(false, 90_000, 90_100)),
    /^this machine's clock is 90 s ahead of the database's clock: let it be set by NTP/,
  );
  assert.match(
    String(await warned(false, -90_100, -90_000)),
    /is 90 s behind the database's clock/,
  );
  assert.deepEqual(await warned(true, 0, 0), []);
  assert.match(
    String(await warned(true, -86_400_000, -86_400_000)),
    /86400 s behind the database's clock: .* as docs\/how-to\/set-back-the-clock\.md says$/,
  );
});

test("a clock that is set while the service runs is told within a minute, and each minute until it is right", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  let offMs = 0;
  let now = async (): Promise<number> => NOW;
  let told = Promise.withResolvers<string>();
  const end = await watchClock(
    storeWith(false, () => now()),
    () => NOW + offMs,
    { warn: (line: unknown) => told.resolve(String(line)) },
  );
  const afterAMinute = async (): Promise<string> => {
    told = Promise.withResolvers();
    t.mock.timers.tick(60_000);
    return await told.promise;
  };
  offMs = 300_000;
  assert.match(await afterAMinute(), /300 s ahead/);
  offMs = -300_000;
  assert.match(await afterAMinute(), /300 s behind/);
  now = async () => {
    told.resolve("the database is away");
    throw new Error("away");
  };
  assert.equal(await afterAMinute(), "the database is away");
  now = async () => {
    told.resolve("looked");
    return NOW;
  };
  offMs = 0;
  assert.equal(await afterAMinute(), "looked");
  await end();
});
