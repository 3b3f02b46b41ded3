import assert from "node:assert/strict";
import { test } from "node:test";
import { enterLab, whyNoLab } from "./enter.ts";
import { readReport } from "./read-report.ts";

const reason = whyNoLab();
if (reason !== null) process.stdout.write(`skipped: ${reason}\n`);

/** A sample; all of it by `npm run lab -- --full`. */
const SAMPLE = ["200", "16", "24", "20"];

const TRIED = new Set([
  "fixed URLs",
  "allowed URLs",
  "generated URLs",
  "inner kinds",
  "rebinding",
  "public hosts",
  "redirects to tripwires",
  "planted URLs",
]);

test(
  "in a world of real addresses nothing reaches a tripwire, and every public host its events",
  {
    skip: reason ?? false,
  },
  async () => {
    const report = await readReport(enterLab(SAMPLE, "inherit"));
    assert.deepEqual(report.faults, []);
    assert.deepEqual(report.trips, []);
    assert.equal(report.loopback, 0, "packets on the service's loopback");
    assert.equal(
      report.opens,
      report.accepted,
      "each connection that was begun came to a public address",
    );
    assert.ok(report.accepted > 24);
    assert.equal(report.counts["rebinding: rounds"], 16);
    assert.deepEqual(new Set(Object.keys(report.counts).map((what) => what.split(": ")[0])), TRIED);
    // The tripwires do notice.
    const { expected, trips, loopback, opens } = report.control;
    assert.deepEqual([trips, opens], [expected, expected]);
    assert.ok(loopback > 0);
  },
);
