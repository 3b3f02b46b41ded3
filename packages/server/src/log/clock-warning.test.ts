import assert from "node:assert/strict";
import { test } from "node:test";
import { warnOfClock } from "./start-warnings.ts";

async function warned(aheadMs: number): Promise<unknown[][]> {
  const lines: unknown[][] = [];
  const maintenance = { clockAheadMs: async () => aheadMs } as Parameters<
    typeof warnOfClock
  >[0]["maintenance"]; // All that is asked for.
  await warnOfClock({ maintenance }, { warn: (...line: unknown[]) => void lines.push(line) });
  return lines;
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
