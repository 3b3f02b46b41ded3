import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { ChatAnswer } from "../chat-answer.ts";
import { readSlackAnswer } from "./read-answer.ts";

function read(status: number, body: string, headers: Record<string, string> = {}): ChatAnswer {
  return readSlackAnswer({ status, headers: Object.entries(headers), body });
}

const HTML = "<!doctype html><title>Access denied</title>";

test("each of Slack's answers has one meaning", () => {
  const samples: [number, string, ChatAnswer["outcome"]][] = [
    [200, "ok", "delivered"],
    [400, "invalid_payload", "refused"],
    [400, "invalid_blocks", "refused"],
    [400, "too_many_attachments", "refused"],
    [400, "no_text", "refused"],
    [400, "user_not_found", "webhook_forbidden"],
    [400, HTML, "failed"],
    [403, "action_prohibited", "webhook_forbidden"],
    [403, "posting_to_channel_denied", "webhook_forbidden"],
    [403, "posting_to_general_channel_denied", "webhook_forbidden"],
    [403, "team_disabled", "webhook_forbidden"],
    [403, "invalid_token\n", "webhook_token"],
    [403, HTML, "failed"],
    [404, "channel_not_found", "webhook_forbidden"],
    [404, "no_service", "webhook_deleted"],
    [404, "no_service_id", "webhook_deleted"],
    [404, "no_active_hooks", "webhook_deleted"],
    [404, "no_team", "webhook_deleted"],
    [404, "user_not_found", "webhook_forbidden"],
    [404, "not_known_yet", "failed"],
    [404, HTML, "failed"],
    [404, "", "failed"],
    [410, "channel_is_archived", "webhook_forbidden"],
    [410, HTML, "failed"],
    [413, HTML, "refused"],
    [429, "rate_limited", "throttled"],
    [302, "", "failed"],
    [408, "", "failed"],
    [500, "rollup_error", "failed"],
    [500, "no_service", "failed"],
    [503, HTML, "failed"],
  ];
  for (const [status, body, outcome] of samples) {
    const answer = read(status, body);
    assert.deepEqual([answer.outcome, answer.invalid], [outcome, false], `${status} ${body}`);
    assert.equal(answer.retryAfterMs !== null, outcome === "throttled", `${status} ${body}`);
  }
});

test("a pause is as long as Slack says, within an hour", () => {
  assert.equal(read(429, "", { "Retry-After": "30" }).retryAfterMs, 30_000);
  assert.equal(read(429, "").retryAfterMs, 5_000);
  assert.equal(read(429, "", { "retry-after": "soon" }).retryAfterMs, 5_000);
  assert.equal(read(429, "", { "retry-after": "9".repeat(400) }).retryAfterMs, 3_600_000);
});

test("any answer is read without throwing", () => {
  fc.assert(
    fc.property(fc.integer(), fc.string(), fc.string(), (status, body, wait) => {
      const answer = read(status, body, { "Retry-After": wait });
      const ms = answer.retryAfterMs ?? 0;
      assert.ok(Number.isInteger(ms) && ms >= 0 && ms <= 3_600_000);
    }),
  );
});
