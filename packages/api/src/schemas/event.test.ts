import assert from "node:assert/strict";
import { test } from "node:test";
import { REPORTED_EVENT_NAMES } from "@markethook/protocol";
import * as fc from "fast-check";
import { Check } from "typebox/value";
import { isRejection, toAcceptItem } from "../input/event-input.ts";
import { valuesNear } from "../testing/values-near.ts";
import { EventBody, EventReport, UpdateReport, UserEventReport } from "./event.ts";

const context = { now: Number.MAX_SAFE_INTEGER, randomBytes: (size: number) => Buffer.alloc(size) };

/** As requests are checked: the flat schema, and then which member belongs to which event. */
function isTaken(value: unknown): boolean {
  if (!Check(EventBody, value)) return false;
  return !isRejection(toAcceptItem("castle", value, undefined, context));
}

const documented = { "UserEventReport#": UserEventReport, "UpdateReport#": UpdateReport };
const version = { version: "1.1", id: "u2", size: 5, fileType: "zip" };
const WHOLE = {
  user: { id: 7 },
  update: { ...version, title: "Moat", description: "Water" },
  previous: { ...version, time: 5 },
  occurredAt: 5,
  details: { amount: 5 },
  idempotencyKey: "line-1",
};

/** Any event name with any of the members, some of which are odd in themselves. */
const reports = fc
  .tuple(
    fc.constantFrom("ping", "x", ...REPORTED_EVENT_NAMES),
    fc.subarray(Object.keys(WHOLE) as (keyof typeof WHOLE)[]),
    fc.oneof(
      { weight: 3, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: valuesNear(EventBody) },
    ),
  )
  .map(([event, names, odd]) => {
    const whole = Object.fromEntries(names.map((name) => [name, WHOLE[name]]));
    return Object.assign({ event, ...whole }, odd);
  });

test("the documented union and what is checked of a report take the same values", () => {
  const seen = { taken: 0, refused: 0 };
  fc.assert(
    fc.property(reports, (value) => {
      const taken = isTaken(value);
      assert.equal(Check(documented, EventReport, value), taken, JSON.stringify(value));
      seen[taken ? "taken" : "refused"] += 1;
    }),
    { numRuns: 2000 },
  );
  assert.ok(seen.taken > 50 && seen.refused > 50, JSON.stringify(seen));
});
