import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "./config.ts";
import { differingSettings, sharedSettings } from "./shared-settings.ts";

const config = readConfig({ MARKETHOOK_LEASE: "20s" });
const stored = JSON.stringify(sharedSettings(config, "https://old.example", false));

test("each setting that instances must share is compared with that of the last start, but for the lease on SQLite", () => {
  const here = readConfig({ MARKETHOOK_SERVICE_NAME: "Castle" });
  const differing = (exclusive: boolean) =>
    differingSettings(stored, sharedSettings(here, "https://market.example", exclusive));
  assert.deepEqual(differing(false), [
    { name: "MARKETHOOK_SERVICE_NAME", before: "Service", now: "Castle" },
    {
      name: "MARKETHOOK_BASE_URL",
      before: "https://old.example",
      now: "https://market.example",
    },
    { name: "MARKETHOOK_LEASE", before: "20000ms", now: "8000ms" },
  ]);
  assert.deepEqual(
    differing(true).map(({ name }) => name),
    ["MARKETHOOK_SERVICE_NAME", "MARKETHOOK_BASE_URL"],
  );
});

test("nothing differs before the first start, nor where one of the two does not say it", () => {
  const here = sharedSettings(config, null, false);
  assert.deepEqual(differingSettings(null, here), []);
  assert.deepEqual(differingSettings(stored, here), []);
  assert.deepEqual(differingSettings("{}", here), []);
});
