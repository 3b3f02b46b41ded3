import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "./create-client.ts";
import { against } from "./testing/against.ts";
import { accepted, drop } from "./testing/scripted-server.ts";

const PURCHASE = { event: "product.user.purchase", user: { id: 1 } } as const;

/** A key with a line break was repeated in an error's message, and so in logs. */
test("an API key that no header can have is refused, and not repeated", async () => {
  const baseUrl = "http://127.0.0.1:1";
  for (const apiKey of ["mh_a\nmh_b", "mh_\u200bsecret", "mh_ключ"]) {
    const withoutKey = (error: unknown) =>
      error instanceof TypeError && error.message.startsWith("apiKey has ");
    assert.throws(() => createClient({ baseUrl, apiKey }), withoutKey);
    const client = createClient({ baseUrl, apiKey: () => apiKey });
    await assert.rejects(client.webhooks.get("wh_1"), withoutKey);
  }
});

/** A variable that was not set gave the key "undefined", and an address that was told at the first call only. */
test("a key or an address that is missing is told when the client is made", () => {
  const missing = undefined as unknown as string;
  const baseUrl = "http://127.0.0.1:1";
  assert.throws(() => createClient({ baseUrl, apiKey: missing }), /^TypeError: apiKey is empty/);
  for (const wrong of [missing, "", "/hooks"]) {
    assert.throws(() => createClient({ baseUrl: wrong, apiKey: "mh_a" }), /baseUrl is the service/);
  }
});

/** It was sent as "undefined", and the service's answer said that the key is unknown. */
test("a function that gives no key is told as that, and nothing is sent", async (t) => {
  for (const given of ["", undefined as unknown as string]) {
    const { server, client } = await against(t, [accepted], { apiKey: () => given });
    await assert.rejects(client.webhooks.get("wh_1"), /^TypeError: apiKey is empty/);
    assert.equal(server.seen.length, 0);
  }
});

/** Each call threw an error whose message repeated the password. */
test("an address with a password is refused when the client is made, and not repeated", () => {
  assert.throws(
    () => createClient({ baseUrl: "https://me:secret@hooks.example", apiKey: "mh_a" }),
    (error) => error instanceof TypeError && !error.message.includes("secret"),
  );
  createClient({ baseUrl: "https://hooks.example/@me", apiKey: "mh_a" });
});

/** A header loses spaces at both ends, so that `reportMany` with the same key sent the event again. */
test("an idempotency key that a header would change goes in the body, and the report is retried", async (t) => {
  const { server, client } = await against(t, [drop, accepted]);
  const keys = [" line-1", "line-1 ", "ключ", "a\nb", "", "line 1"];
  for (const idempotencyKey of keys) {
    await client.events.report("castle", PURCHASE, { idempotencyKey });
  }
  assert.deepEqual(
    server.seen
      .slice(1)
      .map(({ headers, body }) => headers["idempotency-key"] ?? JSON.parse(body).idempotencyKey),
    keys,
  );
  assert.equal(server.seen.length, keys.length + 1);
});

test("a number of retries that is none means no retries", async (t) => {
  const { server, client } = await against(t, [drop], { retries: Number.NaN });
  await assert.rejects(client.events.report("castle", PURCHASE));
  assert.equal(server.seen.length, 1);
});
