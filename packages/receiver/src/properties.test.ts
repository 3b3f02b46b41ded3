import assert from "node:assert/strict";
import { test } from "node:test";

import { EVENT_NAMES, makeSecret } from "@markethook/protocol";
import * as fc from "fast-check";
import { CODE_POINT } from "@markethook/protocol/testing";

import { type TestRequest, signTestRequest } from "./testing.ts";
import { verify } from "./verify-sync.ts";
import type { VerifyOptions } from "./verify-steps.ts";

const now = () => 1_770_000_000_000;

/** 48 letters and digits, from a stream of arbitrary bytes. */
const issuedSecret = fc.uint8Array({ minLength: 96, maxLength: 96 }).map((bytes) => {
  let used = 0;
  return makeSecret((size) => Uint8Array.from({ length: size }, () => bytes[used++ % 96]! % 248));
});
const importedSecret = fc
  .string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((c) => String.fromCharCode(c)),
    minLength: 1,
    maxLength: 255,
  })
  .filter((secret) => secret.trim() !== "");
const text = fc.string({ unit: "grapheme" });

const request = fc
  .record({
    event: fc.constantFrom(...EVENT_NAMES),
    secret: fc.oneof(issuedSecret, importedSecret),
    serviceName: fc.constantFrom("Service", "Polymart", "My-Shop"),
    title: text,
    subtitle: text,
    time: fc.nat(),
    attempt: fc.integer({ min: 1, max: 99 }),
  })
  .map(({ event, title, subtitle, ...rest }) => {
    const plain = signTestRequest({ event, now, ...rest });
    const envelope = JSON.parse(Buffer.from(plain.body).toString()) as {
      event: string;
      time: number;
      nonce: string;
      payload: { product: { title: string; subtitle: string } };
    };
    Object.assign(envelope.payload.product, { title, subtitle });
    return Object.assign({ signed: signTestRequest({ envelope, now, ...rest }) }, rest);
  });

function withHeaders(signed: TestRequest, keep: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(Object.entries(signed.headers).filter(([name]) => keep(name)));
}

const isStandard = (name: string) => name.startsWith("webhook-");

test("any request that was signed with the secret is accepted", () => {
  fc.assert(
    fc.property(request, ({ signed, secret, serviceName }) => {
      // Of the imported secrets most are not base64.
      const own = signed.headers["webhook-signature"] === undefined ? "service" : "standard";
      const options: VerifyOptions = { serviceName, now, require: own };
      const result = verify(signed.body, signed.headers, secret, options);
      assert.ok(result.ok && result.kind === "event");
    }),
    { numRuns: 300 },
  );
});

test("a request with any one byte of its body changed, added or removed is refused", () => {
  const change = fc.record({
    at: fc.nat(),
    by: fc.integer({ min: 1, max: 255 }),
    how: fc.constantFrom("change", "insert", "remove"),
  });
  fc.assert(
    fc.property(request, change, ({ signed, secret, serviceName }, { at, by, how }) => {
      const bytes = [...signed.body];
      const index = at % bytes.length;
      if (how === "change") bytes[index] = bytes[index]! ^ by;
      else if (how === "insert") bytes.splice(index, 0, by);
      else bytes.splice(index, 1);
      const result = verify(Uint8Array.from(bytes), signed.headers, secret, { serviceName, now });
      assert.ok(!result.ok && result.code === "signature_mismatch");
    }),
    { numRuns: 300 },
  );
});

/** Replaces one character of one of the headers that the signature stands in or covers. */
function changed(headers: Record<string, string>, pick: number, at: number, to: string) {
  const names = Object.keys(headers).filter((name) => /signature|webhook-/i.test(name));
  const name = names[pick % names.length] ?? assert.fail("no header to change");
  const value = headers[name] ?? "";
  const index = at % value.length;
  fc.pre(value[index] !== to);
  return { ...headers, [name]: value.slice(0, index) + to + value.slice(index + 1) };
}

const character = fc.integer({ min: 0x21, max: 0x7e }).map((c) => String.fromCharCode(c));
const STYLES: [string, (name: string) => boolean, VerifyOptions][] = [
  ["X-{Service}-Signature and version", (name) => !isStandard(name), { require: "service" }],
  ["webhook-signature, -id and -timestamp", isStandard, {}],
  ["a request with both styles", () => true, {}],
  ["a request with both, where one is enough", () => true, { require: "service" }],
];

for (const [what, keep, options] of STYLES) {
  test(`a request with any one character changed in ${what} is refused`, () => {
    const base = fc.record({ secret: issuedSecret, event: fc.constantFrom(...EVENT_NAMES) });
    fc.assert(
      fc.property(base, fc.nat(), fc.nat(), character, (made, pick, at, to) => {
        const signed = signTestRequest({ ...made, now });
        const all = withHeaders(signed, keep);
        assert.ok(verify(signed.body, all, made.secret, { now, ...options }).ok);
        const forged = { ...all, ...changed(all, pick, at, to) };
        assert.equal(verify(signed.body, forged, made.secret, { now, ...options }).ok, false);
      }),
      { numRuns: 300 },
    );
  });
}

test("another secret than the signer's is refused", () => {
  fc.assert(
    fc.property(request, issuedSecret, ({ signed, secret, serviceName }, other) => {
      fc.pre(secret !== other);
      assert.equal(verify(signed.body, signed.headers, other, { serviceName, now }).ok, false);
    }),
    { numRuns: 100 },
  );
});

test("whatever bytes, headers and secrets come, verify answers and never throws or accepts", () => {
  const name = fc.constantFrom(
    "X-Service-Signature",
    "x-service-signature-next",
    "X-Other-Signature",
    "webhook-id",
    "webhook-timestamp",
    "webhook-signature",
    "X-Service-Webhook-Version",
    "__proto__",
    "",
  );
  const hex = fc.string({
    unit: fc.constantFrom(..."0123456789abcdefABCDEF"),
    minLength: 64,
    maxLength: 64,
  });
  const base64 = fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((bytes) => `v1,${Buffer.from(bytes).toString("base64")}`);
  const value = fc.oneof(fc.string(), hex, base64, fc.nat().map(String), fc.constant("1"));
  const pairs = fc.array(fc.tuple(name, value));
  const record = fc.dictionary(name, fc.oneof(value, fc.array(value), fc.constant(undefined)));
  const body = fc.oneof(
    fc.uint8Array(),
    fc.json().map((json) => Buffer.from(json)),
    fc.string({ unit: CODE_POINT }).map((any) => Buffer.from(any)),
  );
  const secrets = fc.oneof(fc.string(), fc.array(fc.string()), issuedSecret);
  const wild = fc.oneof(pairs, record, fc.anything());
  fc.assert(
    fc.property(body, wild, secrets, (bytes, headers, keys) => {
      // Anything at all may come from plain JavaScript.
      const result = verify(bytes, headers as [string, string][], keys);
      assert.equal(result.ok, false);
      assert.ok(result.sentence.length > 0);
    }),
    { numRuns: 3000 },
  );
});
