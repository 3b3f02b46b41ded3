import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { ChatAnswer } from "../chat-answer.ts";
import { readDiscordAnswer } from "./read-answer.ts";

function read(status: number, body: unknown, headers: Record<string, string> = {}): ChatAnswer {
  return readDiscordAnswer({
    status,
    headers: Object.entries(headers),
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

const HTML = "<!doctype html><title>Access denied</title>";

test("each of Discord's answers has one meaning", () => {
  const samples: [number, unknown, ChatAnswer["outcome"], boolean][] = [
    [200, { id: "1300000000000000000" }, "delivered", false],
    [204, "", "delivered", false],
    [400, { code: 50035, message: "Invalid Form Body" }, "refused", false],
    [400, HTML, "failed", false],
    [401, { code: 50027, message: "Invalid Webhook Token" }, "webhook_token", true],
    [401, { code: 0, message: "401: Unauthorized" }, "failed", true],
    [401, HTML, "failed", true],
    [403, { code: 50001, message: "Missing Access" }, "webhook_forbidden", true],
    [403, HTML, "throttled", true],
    [403, { code: 40333, message: "internal network error" }, "throttled", true],
    [404, { code: 10015, message: "Unknown Webhook" }, "webhook_deleted", true],
    [404, { code: 10008, message: "Unknown Message" }, "message_gone", true],
    [404, { code: 10003, message: "Unknown Channel" }, "refused", true],
    [404, { code: 0, message: "404: Not Found" }, "failed", true],
    [404, HTML, "failed", true],
    [405, {}, "refused", false],
    [408, "", "failed", false],
    [413, HTML, "refused", false],
    [429, { retry_after: 1 }, "throttled", true],
    [302, "", "failed", false],
    [500, { message: "500: Internal Server Error", code: 0 }, "failed", false],
    [502, HTML, "failed", false],
    [503, "upstream connect error", "failed", false],
  ];
  for (const [status, body, outcome, invalid] of samples) {
    const answer = read(status, body);
    const name = `${status} ${JSON.stringify(body)}`;
    assert.deepEqual([answer.outcome, answer.invalid], [outcome, invalid], name);
    assert.equal(answer.retryAfterMs !== null, outcome === "throttled", name);
  }
});

test("the id of a new message is kept, and nothing that is no id", () => {
  assert.equal(read(200, { id: "1300000000000000000" }).messageId, "1300000000000000000");
  for (const id of [13, "../1", "1 ", "", null, "9".repeat(30)]) {
    assert.equal(read(200, { id }).messageId, null);
  }
  assert.equal(read(400, { id: "1300000000000000000" }).messageId, null);
  assert.equal(read(200, "[]").messageId, null);
  assert.equal(read(200, '{"id":"13').messageId, null);
});

test("a limit is waited out as the body says it, to the millisecond", () => {
  const body = { message: "You are being rate limited.", retry_after: 0.3004, global: false };
  const headers = { "Retry-After": "1", "X-RateLimit-Scope": "user" };
  const answer = read(429, body, headers);
  assert.equal(answer.retryAfterMs, 301);
  assert.equal(answer.global, false);
  assert.equal(read(429, {}, headers).retryAfterMs, 1_000);
  assert.equal(read(429, {}, { "x-ratelimit-reset-after": "0.25" }).retryAfterMs, 250);
  assert.equal(read(429, {}).retryAfterMs, 5_000);
  assert.equal(read(429, { retry_after: 0 }).retryAfterMs, 0);
});

test("a limit of the whole address is known by its body, its headers, or a page that is not Discord's", () => {
  assert.equal(read(429, { retry_after: 1, global: true }).global, true);
  assert.equal(read(429, { retry_after: 1 }, { "x-ratelimit-global": "true" }).global, true);
  assert.equal(read(429, { retry_after: 1 }, { "X-RateLimit-Scope": "global" }).global, true);
  const shutOut = read(429, HTML, { "Retry-After": "1800" });
  assert.deepEqual([shutOut.global, shutOut.retryAfterMs], [true, 1_800_000]);
  assert.deepEqual([read(403, HTML).global, read(403, HTML).retryAfterMs], [true, 600_000]);
});

test("a limit shared with other senders counts towards no ban", () => {
  assert.equal(read(429, { retry_after: 1 }, { "X-RateLimit-Scope": "shared" }).invalid, false);
  assert.equal(read(429, { retry_after: 1 }, { "X-RateLimit-Scope": "user" }).invalid, true);
});

test("absurd waits are bounded or passed over", () => {
  for (const retryAfter of [-1, "NaN", null, "1e99", {}, "soon"]) {
    const answer = read(429, { retry_after: retryAfter }, { "Retry-After": "2" });
    assert.equal(answer.retryAfterMs, 2_000, JSON.stringify(retryAfter));
  }
  assert.equal(read(429, { retry_after: 1e12 }).retryAfterMs, 3_600_000);
  for (const digits of [19, 21, 400]) {
    const answer = read(429, {}, { "Retry-After": "9".repeat(digits) });
    assert.equal(answer.retryAfterMs, 3_600_000, String(digits));
  }
  assert.equal(read(429, '{"retry_after": 1e400}').retryAfterMs, 3_600_000);
});

test("what it says about its limits is read where it is whole", () => {
  const headers = {
    "X-RateLimit-Limit": "5",
    "x-ratelimit-remaining": "4",
    "X-RATELIMIT-RESET-AFTER": "1.999",
  };
  assert.deepEqual(read(204, "", headers).pace, { limit: 5, remaining: 4, resetAfterMs: 1_999 });
  for (const [name, value] of [
    ["X-RateLimit-Limit", "0"],
    ["X-RateLimit-Limit", "-5"],
    ["x-ratelimit-remaining", "NaN"],
    ["X-RATELIMIT-RESET-AFTER", "never"],
  ] as const) {
    assert.equal(read(204, "", { ...headers, [name]: value }).pace, null);
  }
  const odd = { ...headers, "x-ratelimit-remaining": "1000000", "X-RATELIMIT-RESET-AFTER": "9e9" };
  assert.equal(read(204, "", odd).pace, null);
  const more = { ...headers, "x-ratelimit-remaining": "1000000" };
  assert.equal(read(204, "", more).pace?.remaining, 5);
  assert.equal(read(204, "").pace, null);
});

test("any answer is read without throwing, and every wait is between nothing and an hour", () => {
  const status = fc.oneof(fc.constantFrom(200, 401, 403, 404, 429, 500), fc.integer());
  const body = fc.oneof(fc.string(), fc.json());
  const names = fc.constantFrom("Retry-After", "X-RateLimit-Reset-After", "X-RateLimit-Limit");
  const headers = fc.array(fc.tuple(names, fc.string()));
  fc.assert(
    fc.property(status, body, headers, (status, body, headers) => {
      const answer = readDiscordAnswer({ status, body, headers });
      const wait = answer.retryAfterMs ?? 0;
      assert.ok(Number.isInteger(wait) && wait >= 0 && wait <= 3_600_000);
      assert.ok(answer.messageId === null || /^\d+$/.test(answer.messageId));
    }),
  );
});
