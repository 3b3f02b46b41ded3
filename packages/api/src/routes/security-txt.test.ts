import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestApp } from "../testing/test-app.ts";

const ASK = { method: "GET", url: "/.well-known/security.txt" } as const;

test("security.txt names the contact, until when it is good, and where it stands", async () => {
  const contact = "mailto:security@market.example";
  const { app, world } = await createTestApp({ securityContact: contact });
  const answer = await app.inject(ASK);
  assert.equal(answer.statusCode, 200);
  assert.equal(answer.headers["content-type"], "text/plain; charset=utf-8");
  const [first, expires = "", ...rest] = answer.body.trimEnd().split("\n");
  assert.equal(first, `Contact: ${contact}`);
  const days = (Date.parse(expires.replace("Expires: ", "")) - world.nowMs) / 86_400_000;
  assert.ok(days > 178 && days <= 180, expires);
  assert.deepEqual(rest, [
    "Preferred-Languages: en",
    "Canonical: https://hooks.example/.well-known/security.txt",
  ]);
});

test("without a contact there is no security.txt", async () => {
  const { app } = await createTestApp();
  assert.equal((await app.inject(ASK)).statusCode, 404);
});
