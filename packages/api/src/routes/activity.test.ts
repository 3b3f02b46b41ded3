import assert from "node:assert/strict";
import { before, test } from "node:test";
import { NO_REPLIES } from "@markethook/store";
import { createTestApp, type TestApp } from "../testing/test-app.ts";

const HOUR_S = 3600;
const MINE = "wh_00000000000000000001";
const OTHER = "wh_00000000000000000002";

let api: TestApp;
let hour: number;

before(async () => {
  api = await createTestApp();
  const { resources, webhooks, attemptCounts } = api.store;
  const secret = "s".repeat(48);
  for (const [index, id] of [MINE, OTHER].entries()) {
    const resourceId = `map-${index + 1}`;
    await resources.put([{ id: resourceId, ownerId: `o-${index + 1}`, title: "T", subtitle: "" }]);
    const input = { url: "https://r.example/", events: null, description: "", secret };
    await webhooks.create({ ...input, id, resourceId, format: "json" }, null);
  }
  await resources.put([{ id: "map-9", ownerId: "o-1", title: "T", subtitle: "" }]);
  const { no } = await webhooks.get(MINE, null);
  hour = Math.floor(api.deps.nowSeconds() / HOUR_S);
  const last = { lastAt: 0, lastOutcome: "ok", lastStatus: 200, lastOkAt: 0, okEvents: 0 };
  const replies = NO_REPLIES.map((_, index) => (index === 0 ? 6 : 0));
  const counted = { webhookNo: no, ok: 4, failed: 2, givenUp: 1, replies };
  await attemptCounts.add([
    { ...counted, hour, ...last },
    { ...counted, hour: hour - 1, ...last },
    { ...counted, hour: hour - 30, ...last },
  ]);
});

async function ask(query: string, key?: string) {
  const answer = await api.send({
    method: "GET",
    url: `/v1/activity${query}`,
    ...(key === undefined ? {} : { key }),
  });
  return { status: answer.statusCode, body: answer.json() };
}

test("the last day of a webhook comes hour by hour, by outcome, with the times of replies", async () => {
  const { status, body } = await ask(`?webhookId=${MINE}`);
  assert.equal(status, 200);
  assert.equal(body.points.length, 25);
  const each = { delivered: 4, retried: 1, givenUp: 1, replyMs: { p50: 10, p95: 19 } };
  const at = new Date(hour * HOUR_S * 1000).toISOString();
  assert.deepEqual(body.points.at(-1), { at, ...each });
  assert.deepEqual(body.points.at(-3).replyMs, null);
  assert.deepEqual(body.total, { ...each, delivered: 8, retried: 2, givenUp: 2 });
});

test("a range is taken in steps of several hours, from its first hour on", async () => {
  const from = (hour - 35) * HOUR_S;
  const { body } = await ask(`?webhookId=${MINE}&from=${from + 100}&stepHours=12`);
  assert.equal(body.from, new Date(from * 1000).toISOString());
  assert.deepEqual(
    body.points.map(({ delivered }: { delivered: number }) => delivered),
    [4, 0, 8],
  );
});

test("a range that is empty or longer than a month is refused", async () => {
  const to = hour * HOUR_S;
  for (const query of [`?from=${to}&to=${to}`, `?from=${to - 33 * 24 * HOUR_S}&to=${to}`]) {
    const { status, body } = await ask(query);
    assert.deepEqual([status, body.code, body.pointer], [400, "parameter_invalid", "to"]);
  }
  assert.equal((await ask(`?from=${to - 31 * 24 * HOUR_S}&to=${to + 5}`)).status, 200);
});

test("a session sees its owner's webhooks, and one of a resource only that resource's", async () => {
  const own = await api.makeSession("o-1");
  const bound = await api.makeSession("o-1", "map-1");
  const elsewhere = await api.makeSession("o-1", "map-9");
  for (const [key, status] of [
    [own, 200],
    [bound, 200],
    [elsewhere, 404],
    [await api.makeSession("o-2"), 404],
  ] as const) {
    assert.equal((await ask(`?webhookId=${MINE}`, key)).status, status);
  }
  assert.equal((await ask(`?webhookId=${OTHER}`, own)).status, 404);
  assert.equal((await ask("?ownerId=o-2", own)).status, 404);
  assert.equal((await ask("?resourceId=map-2", bound)).status, 404);
});
