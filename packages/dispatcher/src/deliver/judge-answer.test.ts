import assert from "node:assert/strict";
import { test } from "node:test";

import { judgeAnswer, type Verdict } from "./judge-answer.ts";
import type { SendResult } from "../send/send-result.ts";

function verdict(part: Partial<SendResult>): Verdict {
  return judgeAnswer({
    status: null,
    category: null,
    detail: null,
    sent: true,
    headers: [],
    body: Buffer.alloc(0),
    bodyTruncated: false,
    timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 1 },
    reusedConnection: false,
    address: null,
    ...part,
  });
}

function row(part: Partial<SendResult>): string {
  const { outcome, next, disableWebhook, countsTowardDisabling } = verdict(part);
  return [outcome, next, disableWebhook ?? "-", countsTowardDisabling ? "counts" : "-"].join(" ");
}

test("every status has its verdict", () => {
  const expected: [number[], string][] = [
    [[200, 201, 202, 204, 206, 299], "ok delivered - -"],
    [[300, 301, 302, 304, 307, 308, 399], "redirect retry - counts"],
    [[400], "http_error retry - -"],
    [[401, 403, 404, 408, 409, 418, 499], "http_error retry - counts"],
    [[410], "gone dead gone -"],
    [[429], "throttled throttled - -"],
    [[500, 502, 503, 504, 599], "http_error retry - counts"],
  ];
  for (const [statuses, text] of expected) {
    for (const status of statuses) assert.equal(row({ status }), text, String(status));
  }
});

test("a receiver can stop a delivery or its webhook with any status", () => {
  const disable: [string, string][] = [["Webhook-Delivery", "disable"]];
  const abort: [string, string][] = [["webhook-delivery", "abort-message"]];
  for (const status of [302, 400, 404, 429, 500]) {
    assert.equal(row({ status, headers: disable }), "disabled_by_receiver dead receiver_request -");
    assert.equal(row({ status, headers: abort }), "aborted_by_receiver dead - -");
  }
  assert.equal(row({ status: 200, headers: disable }), "ok delivered receiver_request -");
  assert.equal(row({ status: 200, headers: abort }), "ok delivered - -");
  assert.equal(row({ status: 410, headers: abort }), "gone dead gone -");
  const both = [...abort, ...disable];
  assert.equal(row({ status: 500, headers: both }), "disabled_by_receiver dead receiver_request -");
});

test("other words in webhook-delivery mean nothing", () => {
  for (const value of ["", "disabled", "abort", "disable now"]) {
    assert.equal(
      row({ status: 500, headers: [["webhook-delivery", value]] }),
      "http_error retry - counts",
    );
  }
});

test("a failure of the exchange is retried under its own name, whatever status was read", () => {
  for (const category of [
    "blocked",
    "dns_failure",
    "connection_refused",
    "timeout",
    "tls_certificate_expired",
    "invalid_response",
    "connection_closed",
  ] as const) {
    assert.equal(row({ category }), `${category} retry - counts`);
    assert.equal(row({ category, status: 200 }), `${category} retry - counts`);
    const headers: [string, string][] = [["webhook-delivery", "disable"]];
    assert.equal(row({ category, status: 410, headers }), `${category} retry - counts`);
  }
});

test("faults of ours never spend the receiver's attempts", () => {
  for (const category of ["lease_lost", "stopped", "socket_limit"] as const) {
    assert.equal(row({ category, sent: false }), `${category} release - -`);
  }
});

test("an end of the sender is not held against the receiver, and makes a suspect, sent or not", () => {
  for (const sent of [true, false]) {
    assert.equal(row({ category: "sender_lost", sent }), "outcome_unknown lost - -");
  }
});

test("being stopped with the request on its way leaves the outcome unknown", () => {
  assert.equal(row({ category: "stopped", sent: true }), "outcome_unknown retry - -");
});
