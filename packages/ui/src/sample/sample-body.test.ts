import { REPORTED_EVENT_NAMES } from "@markethook/protocol/event-names";
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkShape, isNonce, PAYLOAD_SHAPES } from "@markethook/protocol";
import { ownUserId, sampleBody, sampleNonce } from "./sample-body.ts";

const AT = "2026-01-02T00:00:00.000Z";
const RESOURCE = {
  id: "castle",
  ownerId: "1001",
  title: "The castle",
  subtitle: "",
  url: "https://market.example/resource/castle",
  fileVersion: null,
  createdAt: AT,
  updatedAt: AT,
};

test("the body of each event has the shape of a real one, about the own resource and user", () => {
  const nonce = sampleNonce(new Uint8Array(12).fill(251));
  assert.ok(isNonce(nonce), nonce);
  for (const name of REPORTED_EVENT_NAMES) {
    const made = { now: Date.parse(AT), nonce };
    const of = { event: name, userId: 1001 };
    const body = sampleBody({ ...of, withDetails: false }, RESOURCE, made);
    const { event, time, payload } = JSON.parse(body);
    assert.deepEqual([event, time, payload.product.id], [name, Date.parse(AT) / 1000, "castle"]);
    assert.equal(checkShape(PAYLOAD_SHAPES[name], payload), null, name);
    if (name !== "product.update") assert.equal(payload.user.id, 1001);
    assert.equal("details" in payload, false);
    const withThem = JSON.parse(sampleBody({ ...of, withDetails: true }, RESOURCE, made));
    assert.equal(withThem.payload.details?.buyerName, name === "product.update" ? undefined : "Jo");
  }
});

test("an owner's id is a user id where it is a number", () => {
  assert.deepEqual([ownUserId("1001"), ownUserId("owner-1"), ownUserId("007")], [1001, 1, 1]);
});
