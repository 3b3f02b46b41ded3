import assert from "node:assert/strict";
import { test } from "node:test";

import { signBody, signRequest } from "@markethook/protocol";

import type { Verified, VerifyFailure } from "./result.ts";
import { samplePayload, signTestRequest } from "./testing.ts";
import { verify } from "./verify-sync.ts";

const SECRET = "k7Qm2XvB9sLtYwR4nHcJ6pZdGfA8eUx1iOoK3MqVbNyT5WhC";

function accepted(result: ReturnType<typeof verify>): Verified {
  assert.ok(result.ok, JSON.stringify(result));
  return result;
}

function refused(result: ReturnType<typeof verify>): VerifyFailure {
  assert.ok(!result.ok, "should have been refused");
  return result;
}

function signedText(text: string | Buffer): {
  body: Uint8Array;
  headers: Record<string, string>;
} {
  const seconds = Math.floor(Date.now() / 1000);
  const headers = {
    "X-Service-Signature": signBody(SECRET, text),
    "webhook-id": "evt_1",
    "webhook-timestamp": String(seconds),
    "webhook-signature": signRequest({ current: SECRET }, "evt_1", seconds, text).standard ?? "",
  };
  return { body: Buffer.from(text), headers };
}

test("resource.update is taken for product.update", () => {
  const payload = samplePayload("product.update");
  const request = signTestRequest({ event: "resource.update", payload, secret: SECRET });
  const result = accepted(verify(request.body, request.headers, SECRET));
  assert.ok(result.kind === "event");
  assert.equal(result.event.event, "product.update");
});

test("events of other names, testEvent among them, come back as unknown", () => {
  for (const event of ["testEvent", "product.review", "constructor", "__proto__", "toString", ""]) {
    const payload = { webhook: "https://receiver.example/" };
    const request = signTestRequest({ event, payload, secret: SECRET });
    const result = accepted(verify(request.body, request.headers, SECRET));
    assert.ok(result.kind === "unknown", event);
    assert.equal(result.name, event);
    assert.deepEqual(result.envelope.payload, payload);
  }
});

test("members that the specification does not name are let through", () => {
  const payload = { ...samplePayload("ping"), extra: [1, { deep: null }] };
  const text = JSON.stringify({ event: "ping", time: 1, nonce: "n", payload, later: true });
  const { body, headers } = signedText(text);
  const result = accepted(verify(body, headers, SECRET));
  assert.ok(result.kind === "event");
  assert.deepEqual(result.event, JSON.parse(text));
});

test("details come typed along with an event, and may be missing", () => {
  const plain = samplePayload("product.user.purchase");
  const details = { buyerName: "Jo", amount: 4.5, orderId: "88213" };
  const read = (payload: object) => {
    const request = signTestRequest({ event: "product.user.purchase", payload, secret: SECRET });
    const result = accepted(verify(request.body, request.headers, SECRET));
    assert.ok(result.kind === "event" && result.event.event === "product.user.purchase");
    return result.event.payload.details;
  };
  const amount: string | number | undefined = read({ ...plain, details })?.amount;
  assert.equal(amount, 4.5);
  assert.deepEqual(read({ ...plain, details }), details);
  assert.equal(read(plain), undefined);
});

test("a known event with a wrong payload is refused with the place of the fault", () => {
  const purchase = samplePayload("product.user.purchase");
  const update = samplePayload("product.update");
  const cases: [string, object, string][] = [
    ["product.user.purchase", { ...purchase, user: { id: "4711" } }, "/payload/user/id"],
    ["product.user.purchase", { product: purchase.product }, "/payload/user"],
    ["ping", { ...samplePayload("ping"), webhook: "https://x" }, "/payload/webhook"],
    [
      "product.update",
      { ...update, update: { ...update.update, size: 7 } },
      "/payload/update/size",
    ],
    ["resource.update", {}, "/payload/product"],
  ];
  for (const [event, payload, pointer] of cases) {
    const request = signTestRequest({ event, payload, secret: SECRET });
    const result = refused(verify(request.body, request.headers, SECRET));
    assert.deepEqual([result.code, result.pointer], ["payload_invalid", pointer]);
  }
});

test("signed bytes that are no envelope are refused with the place of the fault", () => {
  const cases: [string, string][] = [
    ["", ""],
    ["{", ""],
    ["\uFEFF{}", ""],
    ["[]", ""],
    ["null", ""],
    ["{}", "/event"],
    ['{"event":"ping","time":"1","nonce":"n","payload":{}}', "/time"],
    ['{"event":"ping","time":1.5,"nonce":"n","payload":{}}', "/time"],
    ['{"event":"ping","time":1,"payload":{}}', "/nonce"],
    ['{"event":"ping","time":1,"nonce":"n","payload":[]}', "/payload"],
    ["[".repeat(100_000), ""],
  ];
  for (const [text, pointer] of cases) {
    const { body, headers } = signedText(text);
    const result = refused(verify(body, headers, SECRET));
    assert.deepEqual([result.code, result.pointer], ["envelope_invalid", pointer], text);
  }
  const { body, headers } = signedText(Buffer.from([0x22, 0xff, 0x22]));
  assert.equal(refused(verify(body, headers, SECRET)).code, "envelope_invalid");
});

test("members called __proto__ neither pollute nor survive, however they are spelled", () => {
  for (const name of ["__proto__", "\\u005f_proto__", "__\\u0070roto__", "__prot\\u006F__"]) {
    const text = `{"event":"x","time":1,"nonce":"n","payload":{"a":{"${name}":{"evil":1}}},"${name}":{"evil":1}}`;
    const { body, headers } = signedText(text);
    const result = accepted(verify(body, headers, SECRET));
    assert.ok(result.kind === "unknown");
    const copy: Record<string, unknown> = {};
    Object.assign(copy, result.envelope, result.envelope.payload["a"]);
    assert.equal(copy["evil"], undefined);
    assert.equal(Object.hasOwn(result.envelope, "__proto__"), false);
    assert.equal(({} as Record<string, unknown>)["evil"], undefined);
  }
});
