import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestApp, type TestApp } from "../testing/test-app.ts";

async function list({ send }: TestApp, key: string, remoteAddress = "127.0.0.1") {
  const answer = await send({ method: "GET", url: "/v1/resources", key, remoteAddress });
  return { status: answer.statusCode, code: answer.json().code, headers: answer.headers };
}

async function makeKey(api: TestApp, addresses: string[]) {
  return await api.send({
    method: "POST",
    url: "/v1/api-keys",
    payload: { name: "n", scopes: ["resources:read"], addresses },
  });
}

test("a key that sends too much is told when to come back, and leaves others theirs", async () => {
  const api = await createTestApp({ keyRate: 5 });
  const [busy, other] = [await api.makeKey(["admin"]), await api.makeKey(["admin"])];
  for (let i = 0; i < 5; i += 1) assert.equal((await list(api, busy)).status, 200);
  const refused = await list(api, busy);
  assert.deepEqual([refused.status, refused.code], [429, "key_rate_exceeded"]);
  assert.equal(refused.headers["retry-after"], "1");
  assert.equal((await list(api, other)).status, 200);

  api.world.nowMs += 1000;
  for (let i = 0; i < 5; i += 1) assert.equal((await list(api, busy)).status, 200);
  assert.equal((await list(api, busy)).status, 429);
});

test("a key with addresses is taken from there only, and its rate is used up only from there", async () => {
  const api = await createTestApp({ keyRate: 5 });
  const made = (await makeKey(api, ["192.0.2.0/24", "2001:db8::1"])).json();
  assert.deepEqual(made.addresses, ["192.0.2.0/24", "2001:db8::1"]);
  for (let i = 0; i < 10; i += 1) {
    const elsewhere = await list(api, made.key, "198.51.100.1");
    assert.deepEqual([elsewhere.status, elsewhere.code], [403, "address_not_allowed"]);
  }
  for (const inside of ["192.0.2.9", "::ffff:192.0.2.9", "2001:db8::1"]) {
    assert.equal((await list(api, made.key, inside)).status, 200, inside);
  }
});

test("behind a trusted proxy it is the client's address that counts, and nobody else can claim one", async () => {
  for (const [trustProxy, status] of [
    ["10.0.0.1", 200],
    [false, 403],
  ] as const) {
    const api = await createTestApp({ trustProxy });
    const { key } = (await makeKey(api, ["192.0.2.7"])).json();
    const answer = await api.send({
      method: "GET",
      url: "/v1/resources",
      remoteAddress: "10.0.0.1",
      headers: { authorization: `Bearer ${key}`, "x-forwarded-for": "192.0.2.7" },
    });
    assert.equal(answer.statusCode, status);
  }
});

test("what is no address is refused with its place", async () => {
  const refused = await makeKey(await createTestApp(), ["192.0.2.7", "10.0.0.0/33"]);
  const { code, pointer } = refused.json();
  assert.deepEqual([refused.statusCode, code, pointer], [422, "field_invalid", "/addresses/1"]);
});
