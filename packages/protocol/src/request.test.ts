import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import {
  renderRequest,
  type RequestConstants,
  requestText,
  type RequestVariables,
} from "./request.ts";
import { renderBody } from "./envelope.ts";
import { CODE_POINT } from "./testing/code-point.ts";

const profile = { serviceName: "Service", userAgent: "Markethook/0.1.0" };
const constants: RequestConstants = {
  eventId: "evt_1aaaaaaaaaa",
  eventName: "ping",
  eventTime: 1_700_000_000,
  payload: '{"product":{"title":"ä🌾"}}',
  webhookId: "wh_1",
  resourceId: "5127",
  deliveryId: "dlv_1aaaaaaaaaa",
};
const variables: RequestVariables = {
  url: "https://receiver.example/hooks",
  nonce: "AbCdEfGhIjKlMnOp",
  timestamp: 1_700_000_001,
  signature: "a".repeat(64),
};

function namesOf(of: RequestVariables, serviceName = "Service"): string[] {
  const request = renderRequest({ ...profile, serviceName }, constants, 1, of);
  return request.headers.map(([name]) => name);
}

test("headers come in this order, Host first", () => {
  assert.deepEqual(
    namesOf({ ...variables, signatureNext: "b".repeat(64), standard: "v1,x v1,y" }),
    [
      "Host",
      "User-Agent",
      "Content-Type",
      "Content-Length",
      "X-Service-Webhook-Version",
      "X-Service-Signature",
      "X-Service-Signature-Next",
      "webhook-id",
      "webhook-timestamp",
      "webhook-signature",
      "X-Service-Hook-Id",
      "X-Service-Resource-Id",
      "X-Service-Delivery-Id",
      "X-Service-Attempt",
      "Accept",
      "Accept-Encoding",
      "Connection",
    ],
  );
});

test("without a rotation and a base64 secret two headers are left out and the rest stays", () => {
  const names = namesOf(variables);
  assert.equal(names.length, 15);
  assert.ok(!names.includes("X-Service-Signature-Next"));
  assert.ok(!names.includes("webhook-signature"));
  assert.ok(names.includes("webhook-id"));
});

test("the service's own name stands in its headers, spelt as it was set", () => {
  const names = namesOf(variables, "Block-Market");
  assert.ok(names.includes("X-Block-Market-Signature"));
  assert.ok(names.includes("X-Block-Market-Webhook-Version"));
  assert.ok(!names.some((name) => name.includes("Service")));
});

test("Content-Length counts bytes, not characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (title) => {
      const payload = JSON.stringify({ product: { title } });
      const request = renderRequest(profile, { ...constants, payload }, 1, variables);
      const length = request.headers.find(([name]) => name === "Content-Length")?.[1];
      assert.equal(length, String(new TextEncoder().encode(request.body).length));
    }),
  );
});

test("path and query go out as they were saved, and a fragment does not", () => {
  const at = (url: string) => renderRequest(profile, constants, 1, { ...variables, url });
  assert.equal(at("https://a.example/x%2Fy/?a=1&b=%20").target, "/x%2Fy/?a=1&b=%20");
  assert.equal(at("https://a.example").target, "/");
  assert.equal(at("https://a.example/x#secret").target, "/x");
});

test("Host has the port where it is not the scheme's own", () => {
  const host = (url: string) =>
    renderRequest(profile, constants, 1, { ...variables, url }).headers[0]?.[1];
  assert.equal(host("https://a.example:8443/"), "a.example:8443");
  assert.equal(host("https://a.example:443/"), "a.example");
  assert.equal(host("http://[2001:db8::1]:8080/"), "[2001:db8::1]:8080");
});

test("the bytes on the wire are the request line, the headers, an empty line and the body", () => {
  const request = renderRequest(profile, constants, 2, variables);
  const [head, ...rest] = requestText(request).split("\r\n\r\n");
  assert.equal(rest.join("\r\n\r\n"), request.body);
  const lines = (head ?? "").split("\r\n");
  assert.equal(lines[0], "POST /hooks HTTP/1.1");
  assert.deepEqual(
    lines.slice(1),
    request.headers.map(([name, value]) => `${name}: ${value}`),
  );
  assert.ok(lines.includes("X-Service-Attempt: 2"));
});

test("the body is the envelope in compact JSON with the payload's text as it was", () => {
  const payload = '{"z":1,  "a":1.50,"\\u00e4":2}';
  assert.equal(
    renderBody({ name: "product.update", time: 12, nonce: "n", payload }),
    `{"event":"product.update","time":12,"nonce":"n","payload":${payload}}`,
  );
});

test("details stand behind the payload's own members, byte for byte, in requests that carry them alone", () => {
  const payload = '{"product":{"id":"a"},"user":{"id":7}}';
  const details = '{"amount":4.50,"orderId":"ä"}';
  const body = (of: Partial<RequestConstants>, how: Partial<RequestVariables>): string =>
    renderRequest(profile, { ...constants, payload, ...of }, 1, { ...variables, ...how }).body;
  const without = body({}, {});
  assert.ok(without.endsWith(`"payload":${payload}}`));
  assert.equal(body({ details }, {}), without);
  assert.equal(body({ details: null }, { withDetails: true }), without);
  assert.equal(
    body({ details }, { withDetails: true }),
    without.replace('"user":{"id":7}}}', `"user":{"id":7},"details":${details}}}`),
  );
});

test("an event's name cannot break out of its string", () => {
  fc.assert(
    fc.property(fc.string({ unit: CODE_POINT }), (name) => {
      const body = renderBody({ name, time: 1, nonce: "AbCdEfGhIjKlMnOp", payload: "{}" });
      assert.deepEqual(JSON.parse(body), {
        event: name,
        time: 1,
        nonce: "AbCdEfGhIjKlMnOp",
        payload: {},
      });
    }),
  );
});
