import assert from "node:assert/strict";
import { test } from "node:test";
import { DELIVERY_STATES, DELIVERY_TRANSITIONS } from "./delivery-states.ts";

test("no transition stands in the table twice", () => {
  const names = DELIVERY_TRANSITIONS.map(({ from, to, by }) => `${from} ${to} ${by}`);
  assert.deepEqual(names, [...new Set(names)]);
});

test("every state is reached, and every delivery can come to an end and be forgotten", () => {
  const reached = new Set<string | null>([null]);
  for (const _ of DELIVERY_TRANSITIONS) {
    for (const { from, to } of DELIVERY_TRANSITIONS) {
      if (reached.has(from) && to !== null) reached.add(to);
    }
  }
  reached.delete(null);
  assert.deepEqual(reached, new Set(Object.keys(DELIVERY_STATES)));
  for (const state of ["delivered", "dead", "cancelled"]) {
    const onward = DELIVERY_TRANSITIONS.filter(({ from }) => from === state);
    assert.deepEqual(
      onward.map(({ to }) => to),
      [null],
      "an ended delivery only ever goes away",
    );
  }
});
