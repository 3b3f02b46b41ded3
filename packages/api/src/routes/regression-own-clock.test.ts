import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { hashToken, makeApiKey } from "../auth/token.ts";
import { createTestApp, START_MS, type TestApp } from "../testing/test-app.ts";

/** Of several machines one may have a clock that is off by more than a minute. They share the database's. */
const OFF_MS = 90_000;

async function openWithClock(offMs: number): Promise<TestApp> {
  const api: TestApp = await createTestApp({ nowMs: () => api.world.nowMs + offMs });
  return api;
}

for (const [how, offMs] of [
  ["behind", -OFF_MS],
  ["ahead", OFF_MS],
] as const) {
  test(`a session lasts as long as the database says, where the machine's clock is ${how}`, async () => {
    const api = await openWithClock(offMs);
    const created = await api.send({
      method: "POST",
      url: "/v1/portal-sessions",
      payload: { ownerId: "owner-1", lifetimeSeconds: 60, longestSeconds: 60 },
    });
    const [, code] = String(created.json().url).split("#code=");
    const opened = await api.send({
      method: "POST",
      url: "/v1/portal-sessions/exchange",
      payload: { code },
    });
    const { token } = opened.json();
    const ask = async (): Promise<number> =>
      (await api.send({ method: "GET", url: "/v1/webhooks", key: token })).statusCode;
    assert.equal(await ask(), 200);
    api.world.nowMs += 60_000;
    assert.equal(await ask(), 401);
  });

  test(`an API key lasts as long as the database says, where the machine's clock is ${how}`, async () => {
    const api = await openWithClock(offMs);
    const key = makeApiKey(randomBytes);
    const input = { id: "key_1", name: "test", scopes: ["admin"], hash: hashToken(key) };
    await api.store.apiKeys.create({ ...input, expiresAt: START_MS + 60_000 });
    const ask = async (): Promise<number> =>
      (await api.send({ method: "GET", url: "/v1/webhooks", key })).statusCode;
    assert.equal(await ask(), 200);
    api.world.nowMs += 60_000;
    assert.equal(await ask(), 401);
  });

  test(`the operator's page tells the age of heartbeats by the database's clock, where the machine's is ${how}`, async () => {
    const { send } = await openWithClock(offMs);
    const { readAt } = (await send({ method: "GET", url: "/v1/operator" })).json();
    assert.equal(Date.parse(readAt), START_MS);
  });
}

test("a replay up to now reaches the newest events, where the machine's clock is behind", async () => {
  const { send, store, world } = await openWithClock(-OFF_MS);
  await store.resources.put([{ id: "a", ownerId: "o-1", title: "T", subtitle: "" }]);
  const post = (url: string, payload: object) => send({ method: "POST", url, payload });
  const event = { event: "product.user.purchase", user: { id: 7 } };
  await post("/v1/resources/a/events", event);
  world.nowMs += 1000;
  const made = await post("/v1/resources/a/webhooks", { url: "https://r.example/", events: null });
  const range = { from: START_MS / 1000 - 60, to: START_MS / 1000 + 60, include: "missing" };
  const path = `/v1/webhooks/${made.json().id}/replay`;
  const counted = await post(path, {
    ...range,
    from: Math.floor(range.from),
    to: Math.ceil(range.to),
    dryRun: true,
  });
  assert.equal(counted.json().count, 1);
});
