import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { changesOf, PLANTS } from "./plants.ts";
import { SIMULATION_PLANTS } from "./simulation-plants.ts";

test("each bug that npm run plant-bugs plants still has its places, and its tests are there", () => {
  for (const bug of [...PLANTS, ...SIMULATION_PLANTS]) {
    for (const { file, find } of changesOf(bug)) {
      assert.equal(readFileSync(file, "utf8").split(find).length, 2, `${bug.name}: ${file}`);
    }
  }
  for (const { tests } of PLANTS) for (const path of tests) assert.ok(existsSync(path), path);
});

test("the page that says how many bugs are planted has their numbers", () => {
  const [simulated, tested] = [SIMULATION_PLANTS.length, PLANTS.length];
  assert.match(
    readFileSync("docs/explanation/proof.md", "utf8"),
    new RegExp(`${simulated} for the simulation, and ${tested} for single tests`),
  );
});
