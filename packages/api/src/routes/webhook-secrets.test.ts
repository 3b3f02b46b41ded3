import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { createTestApp, type TestApp } from "../testing/test-app.ts";

let api: TestApp;
let base: string;
let secret: string;
beforeEach(async () => {
  api = await createTestApp();
  await api.store.resources.put([{ id: "a", ownerId: "o-1", title: "T", subtitle: "" }]);
  const made = await post("/v1/resources/a/webhooks", { url: "https://r.example/", events: null });
  base = `/v1/webhooks/${made.json().id}`;
  secret = made.json().secret;
});

const post = (url: string, payload?: object) =>
  api.send({ method: "POST", url, ...(payload === undefined ? {} : { payload }) });
const reveal = async () => (await api.send({ method: "GET", url: `${base}/secret` })).json();

test("the secret is revealed to a key that may, and is not to be cached", async () => {
  const answer = await api.send({ method: "GET", url: `${base}/secret` });
  assert.deepEqual(answer.json(), { current: secret, next: null });
  assert.equal(answer.headers["cache-control"], "no-store");
  const key = await api.makeKey(["webhooks:read", "webhooks:write"]);
  assert.equal((await api.send({ method: "GET", url: `${base}/secret`, key })).statusCode, 403);
});

test("a rotation overlaps for a day unless told otherwise, and ends by switching", async () => {
  const rotated = await post(`${base}/secret/rotate`);
  assert.equal(rotated.statusCode, 200);
  assert.equal(rotated.json().webhook.rotation.until, "2026-01-03T03:04:05.678Z");
  assert.deepEqual(await reveal(), { current: secret, next: rotated.json().secret });
  assert.equal((await post(`${base}/secret/rotate`)).json().code, "rotation_open");
  const switched = await post(`${base}/secret/switch`);
  assert.equal(switched.json().rotation, null);
  assert.deepEqual(await reveal(), { current: rotated.json().secret, next: null });
  assert.equal((await post(`${base}/secret/switch`)).json().code, "rotation_not_open");
});

test("a rotation can wait for the owner, and can be taken back", async () => {
  const rotated = await post(`${base}/secret/rotate`, { overlapSeconds: null });
  assert.deepEqual(rotated.json().webhook.rotation, { until: null });
  const cancelled = await api.send({ method: "DELETE", url: `${base}/secret/rotation` });
  assert.equal(cancelled.json().rotation, null);
  assert.deepEqual(await reveal(), { current: secret, next: null });
  const again = await api.send({ method: "DELETE", url: `${base}/secret/rotation` });
  assert.equal(again.json().code, "rotation_not_open");
});

test("a leaked secret is replaced at once", async () => {
  const rotated = await post(`${base}/secret/rotate`, { mode: "switch_now" });
  assert.deepEqual(await reveal(), { current: rotated.json().secret, next: null });
});

test("faults of a rotation have their codes", async () => {
  const faults: [object, string, string][] = [
    [{ mode: "later" }, "field_invalid", "/mode"],
    [{ overlapSeconds: 604_801 }, "field_invalid", "/overlapSeconds"],
    [{ overlapSeconds: 1.5 }, "field_invalid", "/overlapSeconds"],
    [{ mode: "switch_now", overlapSeconds: 5 }, "field_invalid", "/overlapSeconds"],
    [{ secret: "\n" }, "secret_invalid", "/secret"],
    [{ secret: "whsk_c2VjcmV0" }, "secret_invalid", "/secret"],
  ];
  for (const [payload, code, pointer] of faults) {
    const answer = await post(`${base}/secret/rotate`, payload);
    assert.deepEqual([answer.json().code, answer.json().pointer], [code, pointer]);
  }
});
