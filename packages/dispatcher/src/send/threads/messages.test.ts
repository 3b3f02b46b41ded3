import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { CODE_POINT } from "@markethook/protocol/testing";
import type { JudgedResult } from "../signed-exchange.ts";
import type { UnsignedRequest } from "../signed-request.ts";
import { packEnd, packOrder, type Rights, unpackEnd, unpackOrder } from "./messages.ts";

const text = fc.string({ unit: CODE_POINT, maxLength: 8 });
const number = fc.nat();

test("what a request is made from crosses whole", () => {
  const rights: fc.Arbitrary<Rights> = fc.record({
    slot: number,
    party: text,
    instanceNo: fc.option(number),
    reachable: fc.option(fc.array(text)),
  });
  const request: fc.Arbitrary<UnsignedRequest> = fc.record({
    profile: fc.record({ no: number, serviceName: text, userAgent: text }),
    constants: fc.record({
      eventId: text,
      eventName: text,
      eventTime: number,
      payload: text,
      details: fc.oneof(text, fc.constant(null)),
      webhookId: text,
      resourceId: text,
      deliveryId: text,
    }),
    attempt: number,
    webhook: fc.record({
      url: text,
      shownUrl: text,
      secrets: fc.record({ current: text, next: text }, { requiredKeys: ["current"] }),
    }),
    at: number,
    nonce: text,
  });
  fc.assert(
    fc.property(rights, request, (one, other) => {
      const crossed = unpackOrder(structuredClone(packOrder(one, other)));
      assert.deepEqual(crossed, structuredClone({ rights: one, request: other }));
    }),
  );
});

test("what is judged of an answer crosses whole, with the attempt's detail", () => {
  const result: fc.Arbitrary<JudgedResult> = fc.record({
    status: fc.option(number),
    category: fc.constantFrom("timeout", "sender_lost", null),
    detail: fc.option(text),
    sent: fc.boolean(),
    address: fc.option(text),
    headers: fc.array(fc.tuple(text, text), { maxLength: 3 }),
    timings: fc.record({ totalMs: fc.double({ noNaN: true }) }),
  });
  fc.assert(
    fc.property(number, result, text, (slot, judged, detail) => {
      const crossed = unpackEnd(structuredClone(packEnd(slot, judged, detail)));
      assert.deepEqual(crossed, structuredClone({ slot, result: judged, detail }));
    }),
  );
});
