import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { request } from "node:http";
import { test } from "node:test";
import { MarkethookError } from "@markethook/protocol";
import { hashToken, makeApiKey } from "./token.ts";
import { createTestApp } from "../testing/test-app.ts";

const LIST = { method: "GET", url: "/v1/resources" } as const;

test("a request without a key is refused and told which scheme to use", async () => {
  const { app } = await createTestApp();
  const answer = await app.inject(LIST);
  assert.equal(answer.statusCode, 401);
  assert.equal(answer.headers["www-authenticate"], 'Bearer realm="markethook"');
  assert.equal(answer.json().code, "unauthenticated");
});

test("a key that is malformed costs no look-up", async (t) => {
  const { app, store, key } = await createTestApp();
  const lookUp = t.mock.method(store.apiKeys, "findByHash");
  const wrong = [
    "",
    "Bearer",
    "Bearer ",
    `Basic ${key}`,
    `Bearer ${key}x`,
    `Bearer ${key.slice(1)}`,
    key,
  ];
  for (const authorization of wrong) {
    const answer = await app.inject({ ...LIST, headers: { authorization } });
    assert.equal(answer.statusCode, 401, authorization);
  }
  assert.equal(lookUp.mock.callCount(), 0);
});

test("an unknown, a revoked and an expired key get the same answer", async () => {
  const { send, world, store, makeKey } = await createTestApp();
  const revoked = await makeKey(["admin"]);
  const [, row] = await store.apiKeys.list();
  assert.equal(await store.apiKeys.revoke(row?.id ?? "", false), "revoked");
  const expired = makeApiKey(randomBytes);
  const input = { id: "key_1", name: "test", scopes: ["admin"], hash: hashToken(expired) };
  await store.apiKeys.create({ ...input, expiresAt: world.nowMs + 1 });
  world.nowMs += 1;
  const bodies = new Set<string>();
  for (const key of [makeApiKey(randomBytes), revoked, expired]) {
    const answer = await send({ ...LIST, key });
    assert.equal(answer.statusCode, 401);
    bodies.add(JSON.stringify({ ...answer.json(), requestId: "" }));
  }
  assert.equal(bodies.size, 1);
});

test("a key is looked up once a second at most, and its revocation counts after that", async (t) => {
  const { send, world, store } = await createTestApp();
  const lookUp = t.mock.method(store.apiKeys, "findByHash");
  await Promise.all([send(LIST), send(LIST), send(LIST)]);
  assert.equal(lookUp.mock.callCount(), 1);
  const [row] = await store.apiKeys.list();
  assert.ok(row);
  await store.apiKeys.revoke(row.id, true);
  world.nowMs += 999;
  assert.equal((await send(LIST)).statusCode, 200);
  world.nowMs += 1;
  assert.equal((await send(LIST)).statusCode, 401);
  assert.equal(lookUp.mock.callCount(), 2);
});

test("a key that expires while it is remembered is refused when it is looked up again", async () => {
  const { send, world, store } = await createTestApp();
  const key = makeApiKey(randomBytes);
  const input = { id: "key_1", name: "test", scopes: ["admin"], hash: hashToken(key) };
  await store.apiKeys.create({ ...input, expiresAt: world.nowMs + 500 });
  assert.equal((await send({ ...LIST, key })).statusCode, 200);
  world.nowMs += 1000;
  assert.equal((await send({ ...LIST, key })).statusCode, 401);
});

test("an unavailable database is no reason to call a key unknown", async (t) => {
  const { send, store } = await createTestApp();
  const lookUp = t.mock.method(store.apiKeys, "findByHash", async () => {
    throw new MarkethookError("store_unavailable");
  });
  const answer = await send(LIST);
  assert.equal(answer.statusCode, 503);
  assert.equal(answer.headers["retry-after"], "1");
  lookUp.mock.restore();
  assert.equal((await send(LIST)).statusCode, 200);
});

test("a database that answers nothing ends a request after seconds, and the next one asks it again", async (t) => {
  const { send, store } = await createTestApp();
  const asked = Promise.withResolvers<void>();
  const lookUp = t.mock.method(store.apiKeys, "findByHash", () => {
    asked.resolve();
    return new Promise<never>(() => undefined);
  });
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const waiting = send(LIST);
  await asked.promise;
  t.mock.timers.tick(5000);
  t.mock.timers.reset();
  const answer = await waiting;
  assert.equal(answer.json().code, "store_unavailable");
  assert.equal(answer.headers["retry-after"], "1");
  lookUp.mock.restore();
  assert.equal((await send(LIST)).statusCode, 200);
});

test("two Authorization headers are refused, because a proxy may have judged the other", async () => {
  const { app, key } = await createTestApp();
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  try {
    const headers: [string, string][] = [
      ["Host", "api.example"],
      ["Authorization", `Bearer ${key}`],
      ["authorization", "Bearer x"],
    ];
    const status = await new Promise((resolve, reject) => {
      const call = request(`${url}/v1/resources`, { headers: headers.flat(), agent: false });
      call.on("response", (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      call.on("error", reject);
      call.end();
    });
    assert.equal(status, 401);
  } finally {
    await app.close();
  }
});

test("the last use of a key is noted once a minute, and a failure to do so costs nobody anything", async (t) => {
  const { send, world, store } = await createTestApp();
  const touch = t.mock.method(store.apiKeys, "touch");
  await send(LIST);
  world.nowMs += 30_000;
  await send(LIST);
  assert.equal(touch.mock.callCount(), 1);
  touch.mock.mockImplementation(() => Promise.reject(new Error("disk")));
  world.nowMs += 30_000;
  assert.equal((await send(LIST)).statusCode, 200);
  assert.deepEqual(
    world.faults.map(({ where }) => where),
    ["store the last use of an API key"],
  );
});

test("a key without the route's scope is refused with the scope's name", async () => {
  const { send, makeKey } = await createTestApp();
  const key = await makeKey(["webhooks:read"]);
  const answer = await send({ ...LIST, key });
  assert.equal(answer.statusCode, 403);
  assert.equal(answer.json().code, "scope_missing");
  assert.match(answer.json().detail, /resources:read/);
});

test("a key revoked on one instance is refused on another after a second, by the other's own look", async () => {
  const one = await createTestApp();
  const other = await createTestApp({ store: one.deps.store, nowMs: one.deps.nowMs });
  const key = await one.makeKey(["admin"]);
  assert.equal((await other.send({ ...LIST, key })).statusCode, 200);
  const id = (await one.store.apiKeys.list()).at(-1)?.id ?? "";
  const revoked = await one.send({ method: "DELETE", url: `/v1/api-keys/${id}` });
  assert.equal(revoked.statusCode, 204);
  one.world.nowMs += 999;
  assert.equal((await other.send({ ...LIST, key })).statusCode, 200);
  one.world.nowMs += 1;
  assert.equal((await other.send({ ...LIST, key })).statusCode, 401);
});
