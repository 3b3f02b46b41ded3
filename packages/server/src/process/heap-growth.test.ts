import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { growthPercent } from "./heap-growth.ts";

const MIB = 1024 * 1024;

test("a heap may grow to a fixed size, one that has much in it by a share of that", () => {
  assert.equal(growthPercent(40 * MIB, 128 * MIB), 220);
  assert.equal(growthPercent(64 * MIB, 128 * MIB), 100);
  assert.equal(growthPercent(88 * MIB, 128 * MIB), 60);
  assert.equal(growthPercent(500 * MIB, 128 * MIB), 60);
  assert.equal(growthPercent(MIB, 128 * MIB), 300, "no more than V8 would by itself");
});

/** How often the old generation was collected while so much was made and let go. */
function collections(limited: boolean): number {
  const script = `
    import { PerformanceObserver, constants } from "node:perf_hooks";
    import { setFlagsFromString } from "node:v8";
    import { limitHeapGrowth } from ${JSON.stringify(new URL("./heap-growth.ts", import.meta.url).href)};
    if (${limited}) limitHeapGrowth();
    // By itself V8 grows by as much or by less, as fast as the machine happens to be.
    else setFlagsFromString("--heap-growing-percent=300");
    let major = 0;
    new PerformanceObserver((entries) => {
      for (const { detail } of entries.getEntries()) {
        if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) major += 1;
      }
    }).observe({ entryTypes: ["gc"] });
    const live = Array.from({ length: 60 }, () => new Array(131072).fill(0.5));
    const passing = [];
    for (let round = 0; round < 1500; round += 1) {
      passing[round % 8] = new Array(131072).fill(round + 0.5);
      await new Promise(setImmediate);
    }
    console.log(live.length > 0 ? major : 0);
  `;
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", script]);
  return Number(output.toString());
}

test("a heap with much in it is collected sooner than at the most by which V8 lets it grow", () => {
  const [most, limited] = [collections(false), collections(true)];
  assert.ok(limited > most, `${limited} collections with the limit, ${most} without`);
});
