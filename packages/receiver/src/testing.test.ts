import assert from "node:assert/strict";
import { test } from "node:test";

import {
  checkShape,
  EVENT_NAMES,
  isNonce,
  PAYLOAD_SHAPES,
  renderRequest,
  signRequest,
} from "@markethook/protocol";

import { samplePayload, signTestRequest } from "./testing.ts";

const SECRET = "k7Qm2XvB9sLtYwR4nHcJ6pZdGfA8eUx1iOoK3MqVbNyT5WhC";

for (const name of EVENT_NAMES) {
  test(`the sample payload of ${name} has the event's shape and members' order`, () => {
    const payload = samplePayload(name);
    const shape = PAYLOAD_SHAPES[name];
    assert.equal(checkShape(shape, payload), null);
    assert.ok(shape.type === "object");
    assert.deepEqual(Object.keys(payload), shape.required);
  });
}

test("a sample payload may be changed without changing the next one", () => {
  samplePayload("ping").product.title = "changed";
  assert.notEqual(samplePayload("ping").product.title, "changed");
});

test("a test request is what a sender sends, but for what an HTTP client sets", () => {
  const request = signTestRequest({
    envelope: { event: "testEvent", time: 5, nonce: "abcdefghijklmnop", payload: { a: "é" } },
    secret: SECRET,
    serviceName: "Hangar",
    now: () => 7_900,
    url: "http://127.0.0.1:9/hook?x=1",
    eventId: "evt_a",
    webhookId: "wh_a",
    resourceId: "res",
    deliveryId: "dlv_a",
    attempt: 2,
  });
  const body = '{"event":"testEvent","time":5,"nonce":"abcdefghijklmnop","payload":{"a":"é"}}';
  const real = renderRequest(
    { serviceName: "Hangar", userAgent: "Markethook-Test" },
    {
      eventId: "evt_a",
      eventName: "testEvent",
      eventTime: 5,
      payload: '{"a":"é"}',
      webhookId: "wh_a",
      resourceId: "res",
      deliveryId: "dlv_a",
    },
    2,
    {
      url: "http://127.0.0.1:9/hook?x=1",
      nonce: "abcdefghijklmnop",
      timestamp: 7,
      ...signRequest({ current: SECRET }, "evt_a", 7, body),
    },
  );
  assert.equal(Buffer.from(request.body).toString(), body);
  assert.equal(request.url, real.url);
  const dropped = new Set(["Host", "Content-Length", "Connection"]);
  const kept = real.headers.filter(([name]) => !dropped.has(name));
  assert.deepEqual(Object.entries(request.headers), kept);
});

test("without a time and nonce the request is of now, and its nonce is new", () => {
  const parse = () => {
    const { body } = signTestRequest({ event: "ping", secret: SECRET, now: () => 9_000 });
    return JSON.parse(Buffer.from(body).toString()) as { time: number; nonce: string };
  };
  const [first, second] = [parse(), parse()];
  assert.equal(first.time, 9);
  assert.ok(isNonce(first.nonce) && isNonce(second.nonce));
  assert.notEqual(first.nonce, second.nonce);
});
