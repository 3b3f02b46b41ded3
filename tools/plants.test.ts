import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { PLANTS } from "./plants.ts";
import { SIMULATION_PLANTS } from "./simulation-plants.ts";

test("each bug that npm run plant-bugs plants still has its one place, and its tests are there", () => {
  for (const { name, file, find } of [...PLANTS, ...SIMULATION_PLANTS]) {
    assert.equal(readFileSync(file, "utf8").split(find).length, 2, `${name}: ${file}`);
  }
  for (const { tests } of PLANTS) for (const path of tests) assert.ok(existsSync(path), path);
});
