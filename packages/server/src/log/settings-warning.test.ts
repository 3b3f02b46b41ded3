import assert from "node:assert/strict";
import { test } from "node:test";
import { warnOfOtherSettings } from "./start-warnings.ts";

const SETTINGS = {
  MARKETHOOK_SERVICE_NAME: "Castle",
  MARKETHOOK_BASE_URL: "https://market.example",
  MARKETHOOK_LEASE: "8000ms",
};

/** The lines of a start with these settings, after one that left this text. */
async function warnings(
  before: object | null,
  now: Parameters<typeof warnOfOtherSettings>[1],
): Promise<unknown[][]> {
  const lines: unknown[][] = [];
  const text = before === null ? null : JSON.stringify(before);
  const maintenance = { noteSettings: async () => text } as unknown as Parameters<
    typeof warnOfOtherSettings
  >[0]["maintenance"]; // Nothing else is asked of it.
  const logger = { warn: (...line: unknown[]) => void lines.push(line) };
  await warnOfOtherSettings({ maintenance }, now, logger);
  return lines;
}

test("a service's name that is another one than at the last start is told, with both", async () => {
  assert.deepEqual(await warnings(null, SETTINGS), []);
  assert.deepEqual(await warnings(SETTINGS, SETTINGS), []);
  const now = { ...SETTINGS, MARKETHOOK_SERVICE_NAME: "Service" };
  const [line, ...others] = await warnings(SETTINGS, now);
  assert.deepEqual([line?.[0], others], [{ before: SETTINGS, now }, []]);
  assert.match(String(line?.[1]), /set it back, and give all instances the same/);
});

test("a base URL that is another one than at the last start is told, and may be meant", async () => {
  const now = { ...SETTINGS, MARKETHOOK_BASE_URL: "https://shop.example" };
  const [line, ...others] = await warnings(SETTINGS, now);
  assert.deepEqual([line?.[0], others], [{ before: SETTINGS, now }, []]);
  assert.match(String(line?.[1]), /base URL .* set it back if you did not mean to change it/);
  assert.equal(
    (await warnings(SETTINGS, { ...now, MARKETHOOK_SERVICE_NAME: "Service" })).length,
    2,
  );
});

test("a lease that is another one than that of the last instance is told, because both would send", async () => {
  const now = { ...SETTINGS, MARKETHOOK_LEASE: "60000ms" };
  const [line, ...others] = await warnings(SETTINGS, now);
  assert.deepEqual([line?.[0], others], [{ before: SETTINGS, now }, []]);
  assert.match(String(line?.[1]), /stop all of them and give all the same/);
  const { MARKETHOOK_LEASE: _, ...earlier } = SETTINGS;
  assert.deepEqual(await warnings(earlier, now), [], "an earlier build did not write it");
});
