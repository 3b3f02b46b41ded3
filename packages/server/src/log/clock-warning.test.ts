import assert from "node:assert/strict";
import { test } from "node:test";
import { warnOfClock } from "./start-warnings.ts";

async function warned(aheadMs: number): Promise<unknown[][]> {
  const lines: unknown[][] = [];
  await warnOfClock(storeWith(true, { clockAheadMs: async () => aheadMs }), () => 0, {
    warn: (...line: unknown[]) => void lines.push(line),
  });
  return lines;
}

function storeWith(exclusive: boolean, maintenance: object): Parameters<typeof warnOfClock>[0] {
  return { exclusive, maintenance } as Parameters<typeof warnOfClock>[0]; // All that is asked for.
}

test("a start with the database's clock ahead is warned of, with the difference and what to do", async () => {
  assert.deepEqual(await warned(0), []);
  assert.deepEqual(await warned(5000), []);
  const [line] = await warned(86_400_000);
  assert.deepEqual(line?.[0], { aheadSeconds: 86_400 });
  assert.match(
    String(line?.[1]),
    /set the database's back as docs\/how-to\/set-back-the-clock\.md says/,
  );
});

test("a start on a machine whose clock differs from the database server's is warned of, and says how", async () => {
  const NOW = 1_800_000_000_000;
  const warnedOf = async (...machine: number[]): Promise<unknown[]> => {
    const lines: unknown[] = [];
    const store = storeWith(false, { now: async () => NOW, clockAheadMs: async () => 0 });
    const wallNow = (): number => NOW + (machine.shift() ?? 0);
    await warnOfClock(store, wallNow, { warn: (line: unknown) => void lines.push(line) });
    return lines;
  };
  assert.deepEqual(await warnedOf(4000, 4100), []);
  // A database that takes long to answer says nothing about the clocks.
  assert.deepEqual(await warnedOf(-10_000, 10_000), []);
  assert.match(
    String(await warnedOf(90_000, 90_100)),
    /^this machine's clock is 90 s ahead of the database server's clock: let it be set by NTP/,
  );
  assert.match(String(await warnedOf(-90_100, -90_000)), /is 90 s behind the database server's/);
});
