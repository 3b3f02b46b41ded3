import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { chosenEncoding } from "./compress-answers.ts";
import { sampleDelivery } from "../testing/sample-delivery.ts";
import { createTestApp, type TestApp } from "../testing/test-app.ts";

let api: TestApp;
beforeEach(async () => {
  api = await createTestApp();
  await api.world.log.ensureProfile({ serviceName: "Service", userAgent: "Markethook/1" });
});

const get = async (url: string, accepts?: string) =>
  await api.send({
    method: "GET",
    url,
    ...(accepts === undefined ? {} : { headers: { "accept-encoding": accepts } }),
  });

test("a long list is compressed for those who take it, and says the same", async () => {
  for (let seq = 1; seq <= 50; seq += 1) api.world.log.rows.push(sampleDelivery(seq));
  const plain = await get("/v1/deliveries");
  assert.equal(plain.headers["content-encoding"], undefined);
  assert.equal(plain.headers["vary"], "accept-encoding");
  for (const [accepts, encoding, open] of [
    ["gzip, deflate, br, zstd", "br", brotliDecompressSync],
    ["gzip;q=1.0, br;q=0", "gzip", gunzipSync],
  ] as const) {
    const answer = await get("/v1/deliveries", accepts);
    assert.equal(answer.headers["content-encoding"], encoding);
    assert.equal(answer.headers["content-length"], String(answer.rawPayload.length));
    assert.equal(open(answer.rawPayload).toString(), plain.body);
    assert.ok(answer.rawPayload.length * 5 < plain.rawPayload.length);
  }
});

test("short answers, errors and answers that can hold a secret stay as they are", async () => {
  const short = await get("/v1/deliveries", "br");
  assert.equal(short.headers["content-encoding"], undefined);
  const delivery = sampleDelivery(1, { payload: `{"text":"${"a".repeat(5000)}"}` });
  api.world.log.rows.push(delivery);
  const one = await get(`/v1/deliveries/${delivery.deliveryId}`, "br");
  assert.ok(one.rawPayload.length > 5000);
  assert.deepEqual([one.headers["content-encoding"], one.headers["vary"]], [undefined, undefined]);
});

test("an encoding is chosen only where it is named and not refused", () => {
  for (const [header, expected] of [
    [undefined, null],
    ["", null],
    ["identity", null],
    ["*", null],
    ["gzip", "gzip"],
    ["GZIP , BR", "br"],
    ["br;q=0.000, gzip;q=0.5", "gzip"],
    ["br;q=0, gzip;q=0.0", null],
  ] as const) {
    assert.equal(chosenEncoding(header), expected, String(header));
  }
});
