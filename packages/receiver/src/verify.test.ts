import assert from "node:assert/strict";
import { test } from "node:test";

import { EVENT_NAMES, signBody, signRequest } from "@markethook/protocol";

import { MarkethookError } from "./error.ts";
import type { Verified, VerifyFailure } from "./result.ts";
import { samplePayload, signTestRequest } from "./testing.ts";
import { verify, verifyOrThrow } from "./verify-sync.ts";
import type { VerifyOptions } from "./verify-steps.ts";

const SECRET = "k7Qm2XvB9sLtYwR4nHcJ6pZdGfA8eUx1iOoK3MqVbNyT5WhC";
const OTHER = "Zx81hTqWmN4bVcR7yLpKsJ2gFdA9eUo3iXkB6nMvQtYw5HzC";
const NOW = 1_770_000_000;
const now = () => NOW * 1000;

function accepted(result: ReturnType<typeof verify>): Verified {
  assert.ok(result.ok, JSON.stringify(result));
  return result;
}

function refused(result: ReturnType<typeof verify>): VerifyFailure {
  assert.ok(!result.ok, "should have been refused");
  return result;
}

function without(headers: Record<string, string>, ...names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

const PLAIN = ["X-Service-Signature", "X-Service-Signature-Next"];
const STANDARD = ["webhook-id", "webhook-timestamp", "webhook-signature"];

for (const event of EVENT_NAMES) {
  test(`a signed ${event} comes back typed, with what its headers say`, () => {
    const request = signTestRequest({
      event,
      secret: SECRET,
      now,
      time: NOW - 5,
      nonce: "aaaaBBBB0000-_-_",
      eventId: "evt_1",
      webhookId: "wh_1",
      resourceId: "farms",
      deliveryId: "dlv_1",
      attempt: 3,
    });
    const result = accepted(verify(request.body, request.headers, SECRET, { now }));
    assert.deepEqual(result, {
      ok: true,
      kind: "event",
      event: { event, time: NOW - 5, nonce: "aaaaBBBB0000-_-_", payload: samplePayload(event) },
      id: "evt_1",
      webhookId: "wh_1",
      resourceId: "farms",
      deliveryId: "dlv_1",
      attempt: 3,
      matches: [
        { header: "X-Service-Signature", secretIndex: 0 },
        { header: "webhook-signature", secretIndex: 0 },
      ],
    });
  });
}

test("the event's name narrows the payload's type", () => {
  const request = signTestRequest({ event: "product.user.purchase", secret: SECRET });
  const result = verifyOrThrow(request.body, request.headers, SECRET);
  assert.ok(result.kind === "event" && result.event.event === "product.user.purchase");
  const userId: number = result.event.payload.user.id;
  assert.equal(userId, 4711);
});

test("an existing marketplace's request, with its own name and nothing of ours, is accepted", () => {
  const { body } = signTestRequest({ event: "ping", secret: SECRET });
  const headers = {
    "x-polymart-signature": signBody(SECRET, body),
    "x-polymart-webhook-version": "1",
  };
  const options: VerifyOptions = { serviceName: "Polymart", require: "service" };
  const result = accepted(verify(body, headers, SECRET, options));
  assert.deepEqual(
    [result.id, result.webhookId, result.resourceId, result.deliveryId, result.attempt],
    [undefined, undefined, undefined, undefined, undefined],
  );
});

test("headers may come as Headers, pairs or Node's record, in any case", () => {
  const { body, headers } = signTestRequest({ event: "ping", secret: SECRET });
  const shouted = Object.entries(headers).map(([k, v]): [string, string] => [k.toUpperCase(), v]);
  const listed = Object.fromEntries(Object.entries(headers).map(([k, v]) => [k, [v]]));
  for (const form of [headers, new Headers(headers), shouted, new Map(shouted), listed]) {
    accepted(verify(body, form, SECRET));
  }
});

test("during a rotation the old secret, the new one, and both are good", () => {
  const { body, headers } = signTestRequest({ event: "ping", secret: SECRET, nextSecret: OTHER });
  const which = (secrets: string | string[]) =>
    accepted(verify(body, headers, secrets)).matches.map((m) => `${m.header} ${m.secretIndex}`);
  assert.deepEqual(which(SECRET), ["X-Service-Signature 0", "webhook-signature 0"]);
  assert.deepEqual(which(OTHER), ["X-Service-Signature-Next 0", "webhook-signature 0"]);
  assert.deepEqual(which(["unrelated", OTHER, SECRET]), [
    "X-Service-Signature-Next 1",
    "X-Service-Signature 2",
    "webhook-signature 1",
    "webhook-signature 2",
  ]);
});

test("webhook-signature is enough by itself, and an X- signature where it is required alone", () => {
  const { body, headers } = signTestRequest({ event: "ping", secret: SECRET, nextSecret: OTHER });
  accepted(verify(body, without(headers, ...PLAIN), SECRET));
  accepted(verify(body, without(headers, ...PLAIN), OTHER));
  const service: VerifyOptions = { require: "service" };
  const old = without(headers, ...STANDARD, "X-Service-Signature-Next");
  accepted(verify(body, old, SECRET, service));
  accepted(verify(body, without(headers, ...STANDARD, "X-Service-Signature"), OTHER, service));
});

test("signatures of other schemes next to a fitting v1 are passed over", () => {
  const { body, headers } = signTestRequest({ event: "ping", secret: SECRET });
  const value = `v1a,MEUCIQ== ${headers["webhook-signature"]}`;
  accepted(verify(body, { ...without(headers, ...PLAIN), "webhook-signature": value }, SECRET));
});

const NO_SECRETS: unknown[] = ["", "  ", [], [""], [SECRET, ""], undefined, null, [undefined], {}];

for (const secrets of NO_SECRETS) {
  test(`with ${JSON.stringify(secrets) ?? "undefined"} for secrets nothing is accepted`, () => {
    // As plain JavaScript would pass an unset environment variable.
    const given = secrets as string;
    const { body, headers } = signTestRequest({ event: "ping", secret: SECRET });
    const forged = { "X-Service-Signature": signBody("", body) };
    assert.equal(refused(verify(body, headers, given)).code, "secret_missing");
    assert.equal(refused(verify(body, forged, given)).code, "secret_missing");
  });
}

test("what is not bytes is refused whatever its signature, and told how to become bytes", () => {
  const { body, headers } = signTestRequest({ event: "ping", secret: SECRET });
  const text = Buffer.from(body).toString();
  const buffer = Uint8Array.from(body).buffer;
  for (const wrong of [JSON.parse(text), text, buffer, null, undefined, 7] as unknown[]) {
    // What callers in plain JavaScript do.
    const { code, sentence } = refused(verify(wrong as Uint8Array, headers, SECRET));
    assert.equal(code, "raw_body_missing");
    assert.match(sentence, /encode\(text\).*new Uint8Array\(buffer\)/);
  }
});

test("what is thrown says each thing once", () => {
  const { body, headers } = signTestRequest({ event: "ping", secret: SECRET });
  for (const [given, secret] of [
    [without(headers, ...PLAIN, ...STANDARD), SECRET],
    [headers, OTHER],
    [headers, ""],
  ] as const) {
    assert.throws(
      () => verifyOrThrow(body, given, secret),
      ({ message }: Error) => {
        const sentences = message.match(/[^.]+\./g) ?? [];
        return sentences.length > 0 && new Set(sentences).size === sentences.length;
      },
    );
  }
});

test("a request without any signature is refused as such", () => {
  const { body, headers } = signTestRequest({ event: "ping", secret: SECRET });
  const result = refused(verify(body, without(headers, ...PLAIN, ...STANDARD), SECRET));
  assert.equal(result.code, "signature_missing");
});

test("another webhook version is refused, a missing version header is not", () => {
  const { body, headers } = signTestRequest({ event: "ping", secret: SECRET });
  const other = { ...headers, "X-Service-Webhook-Version": "2" };
  assert.equal(refused(verify(body, other, SECRET)).code, "version_unsupported");
  accepted(verify(body, without(headers, "X-Service-Webhook-Version"), SECRET));
});

test("a signature header that came twice is refused, even if both values are right", () => {
  const { body, headers } = signTestRequest({ event: "ping", secret: SECRET });
  for (const name of ["X-Service-Signature", "webhook-signature", "webhook-id"]) {
    const value = headers[name] ?? "";
    const pairs: [string, string][] = [...Object.entries(headers), [name.toLowerCase(), value]];
    const forms = [pairs, { ...headers, [name]: [value, value] }];
    if (name !== "webhook-id") forms.push({ ...headers, [name]: `${value}, ${value}` });
    for (const form of forms) {
      assert.equal(refused(verify(body, form, SECRET)).code, "signature_malformed", name);
    }
  }
});

for (const value of ["", "abc", "0".repeat(63), "0".repeat(65), "g".repeat(64), "é".repeat(64)]) {
  test(`the signature "${value.slice(0, 5)}" of ${value.length} characters is malformed`, () => {
    const { body } = signTestRequest({ event: "ping", secret: SECRET });
    const result = refused(verify(body, { "X-Service-Signature": value }, SECRET));
    assert.equal(result.code, "signature_malformed");
  });
}

function standardOnly(timestamp: string, options: VerifyOptions = {}): string {
  const { body, headers } = signTestRequest({ event: "ping", secret: SECRET, now });
  const signature =
    signRequest({ current: SECRET }, "evt_1test000000", Number(timestamp), body).standard ?? "";
  const changed = {
    ...without(headers, ...PLAIN),
    "webhook-timestamp": timestamp,
    "webhook-signature": signature,
  };
  const result = verify(body, changed, SECRET, { now, ...options });
  return result.ok ? "ok" : result.code;
}

test("a Standard Webhooks signature counts only within the tolerance, either way", () => {
  assert.equal(standardOnly(String(NOW - 300)), "ok");
  assert.equal(standardOnly(String(NOW + 300)), "ok");
  assert.equal(standardOnly(String(NOW - 301)), "timestamp_out_of_tolerance");
  assert.equal(standardOnly(String(NOW + 301)), "timestamp_out_of_tolerance");
  assert.equal(
    standardOnly(String(NOW - 30), { toleranceSeconds: 10 }),
    "timestamp_out_of_tolerance",
  );
  assert.equal(standardOnly(String(NOW - 3000), { toleranceSeconds: 3600 }), "ok");
});

for (const timestamp of ["", "-1", "0x1", "1e9", "1.5", `0${NOW}`, "9".repeat(20), "now"]) {
  test(`the webhook-timestamp "${timestamp}" is not taken for a number`, () => {
    assert.equal(standardOnly(timestamp), "timestamp_malformed");
  });
}

test("verifyOrThrow throws the code, and says the likeliest cause", () => {
  const { body, headers } = signTestRequest({ event: "ping", secret: SECRET });
  assert.throws(
    () => verifyOrThrow(body, headers, `${SECRET}\n`),
    (error) => {
      assert.ok(error instanceof MarkethookError);
      assert.equal(error.code, "signature_mismatch");
      assert.match(error.message, /spaces or line breaks/);
      assert.equal(error.message.includes(SECRET), false);
      return true;
    },
  );
});
