/** The public Standard Webhooks semantics, computed from the definition of HMAC. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { EVENT_NAMES } from "@markethook/protocol";
import { hmacByDefinition } from "@markethook/protocol/testing";

import { signTestRequest } from "./testing.ts";
import { verify } from "./verify-sync.ts";

const SECRET = "k7Qm2XvB9sLtYwR4nHcJ6pZdGfA8eUx1iOoK3MqVbNyT5WhC";
const ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
const SECONDS = 1_770_000_000;
const now = () => SECONDS * 1000;

for (const event of EVENT_NAMES) {
  test(`the webhook-signature of a ${event} is base64 of an HMAC over id.timestamp.body`, () => {
    const { body, headers } = signTestRequest({ event, secret: SECRET, now, eventId: ID });
    const content = Buffer.concat([Buffer.from(`${ID}.${SECONDS}.`), body]);
    const mac = hmacByDefinition(Buffer.from(SECRET, "base64"), content);
    assert.equal(headers["webhook-signature"], `v1,${mac.toString("base64")}`);
    assert.equal(headers["webhook-id"], ID);
    assert.equal(headers["webhook-timestamp"], String(SECONDS));
    assert.equal(
      headers["X-Service-Signature"],
      hmacByDefinition(Buffer.from(SECRET), Buffer.from(body)).toString("hex"),
    );
  });
}

test("what a foreign Standard Webhooks sender signs, several signatures among them, is accepted", () => {
  const { body } = signTestRequest({ event: "product.user.purchase", secret: SECRET, now });
  const content = Buffer.concat([Buffer.from(`${ID}.${SECONDS}.`), body]);
  const mac = hmacByDefinition(Buffer.from(SECRET, "base64"), content).toString("base64");
  const older = Buffer.alloc(32, 7).toString("base64");
  const headers = {
    "webhook-id": ID,
    "webhook-timestamp": String(SECONDS),
    "webhook-signature": `v1,${older} v1a,MEQ= v1,${mac}`,
  };
  for (const secret of [SECRET, `whsec_${SECRET}`]) {
    const result = verify(body, headers, secret, { now });
    assert.ok(result.ok);
    assert.deepEqual([result.id, result.matches.length], [ID, 1]);
  }
});
