import assert from "node:assert/strict";
import { test } from "node:test";
import { renderRequest } from "@markethook/protocol";
import { endSigned, type JudgedResult } from "./signed-exchange.ts";
import { NOT_SENT } from "./send-result.ts";
import type { UnsignedRequest } from "./signed-request.ts";
import { always, ok, startRawReceiver } from "./testing/raw-receiver.ts";
import { AT, type Ended, sendSigned, unsigned } from "./testing/signed.ts";
import { mayWrite, testSender } from "./testing/test-sender.ts";

function detailOf(ended: Ended): Record<string, unknown> {
  assert.ok("detail" in ended, JSON.stringify(ended));
  return ended.detail;
}

/** The request that the log makes of what an attempt stored. */
function recorded(request: UnsignedRequest, detail: Record<string, unknown>): string {
  const { nonce, timestamp, signature, signatureNext, standard } = detail;
  const variables = {
    url: request.webhook.url,
    nonce,
    timestamp,
    signature,
    signatureNext,
    standard,
  };
  const { head, body } = renderRequest(
    request.profile,
    request.constants,
    request.attempt,
    JSON.parse(JSON.stringify(variables)) as Parameters<typeof renderRequest>[3], // As stored.
  );
  return head + body;
}

test("the log can make exactly the request that was sent of what its attempt stored", async (t) => {
  const receiver = await startRawReceiver(t, always(ok("thanks")));
  const request = unsigned(receiver.url);
  const detail = detailOf(await sendSigned(testSender(t), request));
  const sent = receiver.requests[0] ?? "";
  assert.equal(recorded(request, detail), sent);
  assert.match(sent, /X-Service-Signature-Next: [0-9a-f]{64}\r\n/);
  assert.deepEqual(
    [detail["at"], detail["profile"], detail["url"], detail["body"]],
    [AT, 4, request.webhook.shownUrl, "thanks"],
  );
});

test("what judges gets the headers it reads, and the detail has them all", async (t) => {
  const answer =
    "HTTP/1.1 429 Too Many\r\nDate: today\r\nRETRY-AFTER: 7\r\nWebhook-Delivery: disable\r\nContent-Length: 0\r\n\r\n";
  const receiver = await startRawReceiver(t, always(answer));
  const ended = await sendSigned(testSender(t), unsigned(receiver.url));
  assert.ok("result" in ended);
  assert.deepEqual(
    [ended.result.status, ended.result.category, ended.result.sent, ended.result.address],
    [429, null, true, "127.0.0.1"],
  );
  assert.deepEqual(ended.result.headers, [
    ["RETRY-AFTER", "7"],
    ["Webhook-Delivery", "disable"],
  ]);
  assert.ok(ended.result.timings.totalMs > 0);
  assert.deepEqual(ended.detail["headers"], [
    ["Date", "today"],
    ["RETRY-AFTER", "7"],
    ["Webhook-Delivery", "disable"],
    ["Content-Length", "0"],
  ]);
});

test("neither what judges nor the detail repeats the webhook's address", async (t) => {
  const body = "no such hook: toptoken-toptoken";
  const answer = `HTTP/1.1 404 Not Found\r\nLocation: /hooks/toptoken-toptoken\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const receiver = await startRawReceiver(t, always(answer));
  const { origin } = new URL(receiver.url);
  const ended = await sendSigned(testSender(t), unsigned(`${origin}/hooks/toptoken-toptoken`));
  assert.ok(receiver.requests[0]?.startsWith("POST /hooks/toptoken-toptoken "));
  assert.ok(!JSON.stringify(ended).includes("toptoken"), JSON.stringify(ended));
});

test("a failure is recorded with its reason, and with the signature that was made", async (t) => {
  const request = unsigned("http://127.0.0.1:1/hook");
  const ended = await sendSigned(testSender(t), request);
  assert.ok("result" in ended);
  assert.deepEqual([ended.result.category, ended.result.sent], ["connection_refused", false]);
  assert.equal(ended.detail["sent"], false);
  assert.equal(ended.detail["operatorDetail"], ended.result.detail);
  const ends: string[] = [];
  const owner = {
    mayWrite,
    ended: (_result: JudgedResult, text: string) => void ends.push(text),
    failed: (error: unknown) => assert.fail(String(error)),
  };
  endSigned(request, owner, { ...NOT_SENT, category: "stopped" });
  const { nonce, timestamp, signature } = JSON.parse(ends[0] ?? "") as Record<string, unknown>;
  assert.deepEqual(
    { nonce, timestamp, signature },
    {
      nonce: ended.detail["nonce"],
      timestamp: ended.detail["timestamp"],
      signature: ended.detail["signature"],
    },
  );
});

test("a request that cannot be made fails as a fault of our own, and the next one is sent", async (t) => {
  const receiver = await startRawReceiver(t, always(ok()));
  const sender = testSender(t);
  const request = unsigned(receiver.url);
  const broken = { ...request, webhook: { ...request.webhook, url: "nowhere" } };
  const ended = await sendSigned(sender, broken);
  assert.ok("failed" in ended && ended.failed.includes("Invalid URL"), JSON.stringify(ended));
  detailOf(await sendSigned(sender, request));
  assert.equal(receiver.requests.length, 1);
});
