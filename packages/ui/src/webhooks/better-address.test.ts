import assert from "node:assert/strict";
import { test } from "node:test";
import { betterAddress, type Exchange, withHttps } from "./better-address.ts";

function exchange(change: { outcome?: string; status?: number; url?: string; location?: string }) {
  const { outcome = "redirect", status = 308, url = "https://bot.example/…", location } = change;
  const headers = location === undefined ? [] : [["Location", location]];
  return {
    outcome,
    status,
    request: { method: "POST", url, headers: [], body: "" },
    response: { status, headers, body: "" },
  } as Exchange;
}

test("a server that has moved for good is followed to https, and only there", () => {
  const found: [string, string | null][] = [
    ["https://new.example/hooks?a=1", "https://new.example/hooks?a=1"],
    ["//new.example/hooks", "https://new.example/hooks"],
    ["/hooks/", "https://bot.example/hooks/"],
    ["hooks/", null],
    ["http://new.example/hooks", null],
    ["javascript:alert(1)", null],
    ["https://", null],
  ];
  for (const [location, url] of found) {
    const better = betterAddress(exchange({ location }));
    assert.deepEqual(better, url === null ? null : { kind: "target", url }, location);
  }
  assert.equal(betterAddress(exchange({})), null);
  const passing = exchange({ status: 302, location: "https://new.example/login" });
  assert.equal(betterAddress(passing), null);
});

test("a plain address whose server wants https is offered with https", () => {
  const url = "http://bot.example/…";
  const https = { kind: "https" };
  assert.deepEqual(
    betterAddress(exchange({ status: 302, url, location: "https://x.example" })),
    https,
  );
  assert.deepEqual(betterAddress(exchange({ outcome: "http_error", status: 400, url })), https);
  assert.equal(betterAddress(exchange({ outcome: "http_error", status: 500, url })), null);
  assert.equal(betterAddress(exchange({ outcome: "connection_refused", url })), null);
  assert.equal(betterAddress(exchange({ outcome: "ok", status: 200, url })), null);
  assert.equal(withHttps("http://bot.example:8080/http:"), "https://bot.example:8080/http:");
});
