import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import * as fc from "fast-check";
import {
  deliveryId,
  eventId,
  makeRandomId,
  makeTag,
  parseDeliveryId,
  parseEventId,
  WEBHOOK_ID_PREFIX,
} from "./ids.ts";

const sequenceId = fc
  .tuple(
    fc.maxSafeNat().filter((seq) => seq > 0),
    fc.stringMatching(/^[0-9a-z]{10}$/),
  )
  .map(([seq, tag]) => ({ seq, tag }));

test("an id of any sequence number and tag is read back as it was", () => {
  fc.assert(
    fc.property(sequenceId, (id) => {
      assert.deepEqual(parseEventId(eventId(id)), id);
      assert.deepEqual(parseDeliveryId(deliveryId(id)), id);
    }),
  );
});

test("an event's id is no delivery's id", () => {
  fc.assert(
    fc.property(sequenceId, (id) => {
      assert.equal(parseDeliveryId(eventId(id)), null);
      assert.equal(parseEventId(deliveryId(id)), null);
    }),
  );
});

test("whatever is read as an id is spelt exactly as it would be printed, so no thing has two ids", () => {
  const anything = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom(..."evtdl_019azAZ -.") }).map((rest) => `evt_${rest}`),
    fc.stringMatching(/^evt_[0-9a-z]{0,30}$/),
  );
  fc.assert(
    fc.property(anything, (text) => {
      const id = parseEventId(text);
      if (id !== null) assert.equal(eventId(id), text);
    }),
    { numRuns: 1000 },
  );
});

test("ids with leading zeros, capitals, too few or too many characters are refused", () => {
  for (const text of [
    "",
    "evt_",
    "evt_aaaaaaaaaa",
    "evt_0aaaaaaaaaa",
    "evt_01aaaaaaaaaa",
    "evt_1AAAAAAAAAA",
    "EVT_1aaaaaaaaaa",
    "evt_1aaaaaaaaa\n",
    "evt_1aaaaaaaaaa\n",
    " evt_1aaaaaaaaaa",
    "evt_-1aaaaaaaaaa",
    `evt_${"z".repeat(11)}aaaaaaaaaa`,
    `evt_${"1".repeat(400)}`,
  ]) {
    assert.equal(parseEventId(text), null, JSON.stringify(text));
  }
});

test("tags are ten characters of 0-9 a-z, none of which is favoured", () => {
  const counts = new Map<string, number>();
  for (let byte = 0; byte < 252; byte += 1) {
    const tag = makeTag((size) => new Uint8Array(size).fill(byte));
    assert.match(tag, /^([0-9a-z])\1{9}$/);
    counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  assert.equal(counts.size, 36);
  assert.deepEqual(new Set(counts.values()), new Set([7]));
});

test("bytes that would favour the first digits are not used for a tag", () => {
  let draws = 0;
  const tag = makeTag((size) => {
    draws += 1;
    return new Uint8Array(size).fill(draws === 1 ? 252 : 35);
  });
  assert.equal(tag, "zzzzzzzzzz");
  assert.equal(draws, 2);
});

test("a random id is its prefix and 20 characters of 0-9 a-z", () => {
  assert.match(makeRandomId(WEBHOOK_ID_PREFIX, randomBytes), /^wh_[0-9a-z]{20}$/);
});
