import assert from "node:assert/strict";
import { test } from "node:test";
import { LIMITS } from "@markethook/protocol";
import * as fc from "fast-check";
import { deliveryNumber, deliveryRange } from "./numbers.ts";

test("an event's deliveries lie in its own range, in order, and in nobody else's", () => {
  const event = fc.integer({ min: 1, max: 2 ** 45 });
  const position = fc.integer({ min: 0, max: LIMITS.webhooksPerResource - 1 });
  fc.assert(
    fc.property(event, position, position, (seq, one, other) => {
      const [first, last] = deliveryRange(seq);
      const number = deliveryNumber(seq, one);
      assert.ok(Number.isSafeInteger(number) && number >= first && number <= last);
      assert.equal(Math.sign(deliveryNumber(seq, other) - number), Math.sign(other - one));
      assert.equal(deliveryRange(seq + 1)[0], last + 1);
    }),
  );
});

test("a delivery's number is above those of all earlier events, whatever their positions", () => {
  assert.ok(deliveryNumber(7, 0) > deliveryNumber(6, LIMITS.webhooksPerResource - 1));
});
