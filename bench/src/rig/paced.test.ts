import assert from "node:assert/strict";
import { test } from "node:test";
import type { Arrival } from "./receiver.ts";
import { paced } from "./paced.ts";
import type { Service } from "./service.ts";
import type { World } from "./world.ts";

const EVENTS = 1000;

/** A report each millisecond, of a healthy webhook and a bad one in turn; arrivals of the healthy ones as given. */
function worldWhere(arrivalOf: (no: number) => number | null): World {
  const reports = Array.from({ length: EVENTS }, (_, no) => ({
    id: `evt_${no}`,
    resource: no % 2 === 0 ? "healthy" : "bad",
    sentAt: no,
    answeredAt: no + 1,
  }));
  const arrivals = reports.flatMap(({ id, resource }, no): Arrival[] => {
    const at = resource === "healthy" ? arrivalOf(no) : null;
    return at === null ? [] : [{ key: `${id} ${resource}`, at }];
  });
  const answers: Record<string, unknown> = {
    pace: { reports, accepted: EVENTS, refused: 0 },
    wait: { distinct: 0 },
    arrivals,
  };
  const child = { call: async (name: string) => answers[name] };
  // Of the world this asks the load and the receiver alone.
  return { load: child, receiver: child, nextRun: () => 1 } as unknown as World;
}

async function pacedWhere(arrivalOf: (no: number) => number | null) {
  const input = { resources: [], eventsPerSecond: 1000, seconds: 1, batch: 1 };
  const service = {} as Service; // The load alone asks it.
  return await paced(worldWhere(arrivalOf), service, { ...input, only: new Set(["healthy"]) });
}

test("a healthy webhook's deliveries that do not come count as late, not as none", async () => {
  const { fromReport, soonPerSecond } = await pacedWhere((no) => no + 5);
  assert.deepEqual([fromReport.count, fromReport.p99, soonPerSecond], [EVENTS / 2, 5, EVENTS / 2]);
  // Two of a hundred never come: a rate of 98 % alone would pass.
  const late = await pacedWhere((no) => (no % 100 === 0 ? null : no + 5));
  assert.deepEqual([late.fromReport.count, late.soonPerSecond], [EVENTS / 2, EVENTS * 0.49]);
  assert.deepEqual([late.fromReport.p50, late.fromReport.p99], [5, Infinity]);
});
