import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { signBody, signRequest } from "./signature.ts";

test("the HMAC is that of RFC 4231's second case", () => {
  assert.equal(
    signBody("Jefe", "what do ya want for nothing?"),
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
});

test("the Standard Webhooks signature is the one in that standard's own example", () => {
  assert.equal(
    signRequest(
      { current: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" },
      "msg_p5jXN8AQM9LWM0D4loKWxJek",
      1_614_265_330,
      '{"test": 2432232314}',
    ).standard,
    "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  );
});

test("a signature is 64 lower-case hexadecimal digits, the same for text and for its bytes", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string({ unit: "grapheme" }), (secret, text) => {
      const signature = signBody(secret, text);
      assert.match(signature, /^[0-9a-f]{64}$/);
      assert.equal(signBody(secret, new TextEncoder().encode(text)), signature);
    }),
  );
});

test("without a rotation there is one signature of each style", () => {
  const signatures = signRequest({ current: "abcd" }, "evt_1", 5, "{}");
  assert.deepEqual(Object.keys(signatures).sort(), ["signature", "standard"]);
  assert.equal(signatures.standard?.split(" ").length, 1);
});

test("during a rotation the old secret keeps the old header and both sign the standard one", () => {
  const alone = signRequest({ current: "abcd" }, "evt_1", 5, "{}");
  const next = signRequest({ current: "efgh" }, "evt_1", 5, "{}");
  const both = signRequest({ current: "abcd", next: "efgh" }, "evt_1", 5, "{}");
  assert.deepEqual(both, {
    signature: alone.signature,
    signatureNext: next.signature,
    standard: `${alone.standard} ${next.standard}`,
  });
});

test("a secret that is not base64 signs the specification's header only", () => {
  assert.deepEqual(Object.keys(signRequest({ current: "not base64!" }, "evt_1", 5, "{}")), [
    "signature",
  ]);
});
