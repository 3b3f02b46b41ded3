import assert from "node:assert/strict";
import { test } from "node:test";
import { warnOfOtherSettings } from "./start-warnings.ts";

/** The lines of a start with this name, after one that left this text. */
async function warnings(before: string | null, name: string): Promise<unknown[][]> {
  const lines: unknown[][] = [];
  const maintenance = { noteSettings: async () => before } as unknown as Parameters<
    typeof warnOfOtherSettings
  >[0]["maintenance"]; // Nothing else is asked of it.
  const settings = { MARKETHOOK_SERVICE_NAME: name, MARKETHOOK_BASE_URL: "https://market.example" };
  const logger = { warn: (...line: unknown[]) => void lines.push(line) };
  await warnOfOtherSettings({ maintenance }, settings, logger);
  return lines;
}

test("a service's name that is another one than at the last start is told, with both", async () => {
  const before = {
    MARKETHOOK_SERVICE_NAME: "Castle",
    MARKETHOOK_BASE_URL: "https://market.example",
  };
  const text = JSON.stringify(before);
  assert.deepEqual(await warnings(null, "Castle"), []);
  assert.deepEqual(await warnings(text, "Castle"), []);
  const [line] = await warnings(text, "Service");
  assert.deepEqual(line?.[0], { before, now: { ...before, MARKETHOOK_SERVICE_NAME: "Service" } });
  assert.match(String(line?.[1]), /set it back, and give all instances the same/);
});
