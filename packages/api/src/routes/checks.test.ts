import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { createTestApp, type TestApp } from "../testing/test-app.ts";

const WEBHOOK = "wh_00000000000000000001";

let api: TestApp;
beforeEach(async () => {
  api = await createTestApp();
  const { resources, webhooks } = api.store;
  await resources.put([{ id: "map-1", ownerId: "o-1", title: "T", subtitle: "" }]);
  const input = { url: "https://r.example/", events: null, description: "", resourceId: "map-1" };
  await webhooks.create({ ...input, id: WEBHOOK, format: "json", secret: "right" }, null);
});

const check = async (payload: object) =>
  (await api.send({ method: "POST", url: "/v1/webhooks/check-url", payload })).json();
const verify = async (payload: object) =>
  await api.send({ method: "POST", url: "/v1/verify", payload });

/** Said of a receiver of the owner's. */
const json = (shownUrl: string) => ({
  format: "json",
  label: null,
  shownUrl,
  defaultEvents: null,
});

test("a URL is judged as when it is saved, and nothing is", async () => {
  api.world.target = { ok: true, resolved: true };
  assert.deepEqual(await check({ url: "http://r.example/" }), {
    ok: true,
    ...json("http://r.example/"),
    faults: [],
    remarks: [
      {
        code: "not_encrypted",
        sentence: "Requests are not encrypted on their way: https is better.",
      },
    ],
  });
  api.world.target = { ok: false, code: "target_blocked", sentence: "Not allowed." };
  assert.deepEqual(await check({ url: "http://10.0.0.1/" }), {
    ok: false,
    ...json("http://10.0.0.1/"),
    faults: [
      {
        code: "target_blocked",
        sentence: "This address is not allowed as a receiver, or its name cannot be found.",
      },
    ],
    remarks: [],
  });
  assert.equal((await api.store.webhooks.list({ ownerId: null, limit: 10 })).length, 1);
});

test("a name inside and a name that is not there get the same answer", async () => {
  const url = "https://db.market.example/";
  api.world.target = { ok: false, code: "target_blocked", sentence: "Not allowed." };
  const inside = await check({ url });
  api.world.target = { ok: true, resolved: false };
  assert.deepEqual(await check({ url }), inside);
});

test("a URL that the resource has already is remarked on", async () => {
  const url = "https://r.example/";
  assert.equal((await check({ url, resourceId: "map-1" })).remarks.length, 1);
  assert.deepEqual((await check({ url })).remarks, []);
  // It is its own.
  assert.deepEqual((await check({ url, resourceId: "map-1", webhookId: WEBHOOK })).remarks, []);
  assert.equal((await check({ url, resourceId: "map-9" })).code, "resource_unknown");
});

test("a pasted request is judged by a given secret or by the webhook's own", async () => {
  const pasted = { headers: { a: "b" }, body: "{}" };
  assert.deepEqual((await verify({ ...pasted, secret: "right" })).json(), {
    valid: true,
    event: "ping",
  });
  assert.equal((await verify({ ...pasted, webhookId: WEBHOOK })).json().valid, true);
  const wrong = (await verify({ ...pasted, secret: "wrong" })).json();
  assert.deepEqual(wrong.cause, { code: "other_secret", sentence: "It.", advice: "Do." });
  assert.equal((await verify(pasted)).json().code, "field_invalid");
  const both = { ...pasted, secret: "x", webhookId: WEBHOOK };
  assert.equal((await verify(both)).json().code, "field_invalid");
});
