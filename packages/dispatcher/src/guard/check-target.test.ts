import assert from "node:assert/strict";
import { test } from "node:test";

import { parseAllowList } from "./allow-list.ts";
import { checkTarget } from "./check-target.ts";
import { ResolveError } from "./resolver.ts";
import { DEFAULT_BLOCKED_PORTS } from "./url-rules.ts";
import { vetAddresses } from "./vet-addresses.ts";

function check(url: string, answers: string[] | Error, allow = "") {
  return checkTarget(url, {
    allow: parseAllowList(allow),
    blockedPorts: DEFAULT_BLOCKED_PORTS,
    resolver: {
      resolve: () =>
        answers instanceof Error ? Promise.reject(answers) : Promise.resolve(answers),
    },
  });
}

test("a public name is accepted", async () => {
  assert.deepEqual(await check("https://example.com/", ["93.184.216.34", "2606:4700::1"]), {
    ok: true,
    resolved: true,
  });
});

test("a name that cannot be resolved now is accepted", async () => {
  const answer = await check("https://example.com/", new ResolveError("ENOTFOUND"));
  assert.deepEqual(answer, { ok: true, resolved: false });
});

test("a URL of the wrong form is invalid and the sentence says what to change", async () => {
  const answer = await check("ftp://example.com/", []);
  assert.deepEqual(answer, {
    ok: false,
    code: "url_invalid",
    sentence: "The URL must start with https:// or http://.",
  });
});

test("all blocked targets get the same answer, so that it tells nothing about a network", async () => {
  const answers = await Promise.all([
    check("http://10.0.0.1/", ["10.0.0.1"]),
    check("http://localhost/", ["127.0.0.1"]),
    check("http://example.com/", ["10.0.0.1"]),
    check("http://example.com/", ["93.184.216.34", "10.0.0.1"]),
    check("http://example.com/", ["::ffff:169.254.169.254"]),
    check("http://example.com/", ["127.0.0.1"]),
    check("http://example.com/", []),
  ]);
  for (const answer of answers) {
    assert.deepEqual(answer, {
      ok: false,
      code: "target_blocked",
      sentence: "This address is not allowed as a receiver.",
    });
  }
});

test("localhost is accepted when one of its addresses is allowed", async () => {
  const answer = await check("http://localhost:3000/", ["127.0.0.1", "::1"], "127.0.0.0/8");
  assert.deepEqual(answer, { ok: true, resolved: true });
});

test("of localhost only the allowed addresses are dialled; any other name is all or nothing", () => {
  const allow = parseAllowList("127.0.0.0/8");
  const both = ["127.0.0.1", "::1"];
  assert.deepEqual(vetAddresses("localhost", both, 80, allow), { addresses: ["127.0.0.1"] });
  assert.deepEqual(vetAddresses("example.com", both, 80, allow), { forbidden: "::1" });
});
