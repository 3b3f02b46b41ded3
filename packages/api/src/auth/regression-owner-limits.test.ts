import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { createTestApp, replaceActing, type TestApp } from "../testing/test-app.ts";

const WEBHOOK = "wh_00000000000000000001";
const RANGE = { from: 1, to: 2_000_000_000 };

let api: TestApp;
let owner: string;
beforeEach(async () => {
  api = await createTestApp({
    ownerLimits: { pings: 10, sends: 60, checkups: 3, urlChecks: 60, bulkActions: 10, changes: 0 },
  });
  const { resources, webhooks } = api.store;
  await resources.put([{ id: "map-1", ownerId: "o-1", title: "T", subtitle: "" }]);
  const input = { url: "https://r.example/", events: null, description: "", resourceId: "map-1" };
  await webhooks.create({ ...input, id: WEBHOOK, format: "json", secret: "s" }, null);
  owner = await api.makeSession("o-1");
});

/** As the owner, by a session or by a key that names the owner. */
async function post(path: string, payload: object = {}, key = owner) {
  const answer = await api.send({ method: "POST", url: `/v1/webhooks/${path}`, payload, key });
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
}

/** How many are done before the first that is refused as it should be. */
async function countUntilRefused(act: () => ReturnType<typeof post>): Promise<number> {
  for (let done = 0; done < 200; done += 1) {
    const { status, body, headers } = await act();
    if (status < 300) continue;
    assert.deepEqual([status, body.code], [429, "owner_limit_reached"]);
    assert.equal(headers["retry-after"], "60");
    return done;
  }
  return Infinity;
}

test("an owner has ten pings within a minute, by whatever way", async () => {
  let byKey = false;
  const ping = async () => {
    byKey = !byKey;
    return await (byKey
      ? post(`${WEBHOOK}/ping?ownerId=o-1`, {}, api.key)
      : post(`${WEBHOOK}/ping`));
  };
  assert.equal(await countUntilRefused(ping), 10);
  assert.equal((await post(`${WEBHOOK}/ping`, {}, api.key)).status, 200);
  api.world.nowMs += 60_000;
  assert.equal(await countUntilRefused(ping), 10);
});

test("a sample counts as a ping, and so does its preview", async () => {
  let samples = 0;
  const sample = async () =>
    await post(`${WEBHOOK}/sample`, { event: "product.update", dryRun: (samples += 1) % 2 === 0 });
  assert.equal(await countUntilRefused(sample), 10);
  assert.equal((await post(`${WEBHOOK}/ping`)).status, 429);
});

test("an owner sends sixty single deliveries within a minute, again or before their time", async () => {
  let sends = 0;
  const send = async () => {
    sends += 1;
    const url = `/v1/deliveries/dlv_1abcdefghij/${sends % 2 === 0 ? "send-now" : "redeliver"}`;
    return await api.send({ method: "POST", url, key: owner });
  };
  for (let done = 0; done < 60; done += 1) assert.equal((await send()).statusCode, 404);
  const refused = await send();
  assert.deepEqual([refused.statusCode, refused.json().code], [429, "owner_limit_reached"]);
  assert.match(refused.json().detail, /60 deliveries sent again or before their time/);
  const other = { method: "POST", url: "/v1/deliveries/dlv_1abcdefghij/send-now" } as const;
  assert.equal((await api.send({ ...other, key: await api.makeSession("o-2") })).statusCode, 404);
  assert.equal((await api.send(other)).statusCode, 404);
});

test("an owner has sixty URL checks within a minute, those at saving included", async () => {
  const url = "https://r.example/new";
  for (let i = 0; i < 10; i += 1) {
    const saved = await api.send({
      method: "PATCH",
      url: `/v1/webhooks/${WEBHOOK}`,
      payload: { url },
      key: owner,
    });
    assert.equal(saved.statusCode, 200);
  }
  assert.equal(await countUntilRefused(() => post("check-url", { url })), 50);
  const created = await api.send({
    method: "POST",
    url: "/v1/resources/map-1/webhooks",
    payload: { url },
    key: owner,
  });
  assert.equal(created.json().code, "owner_limit_reached");
});

test("a pasted request that is checked counts as a URL check", async () => {
  const payload = { headers: {}, body: "{}", secret: "x" };
  const verify = async () => {
    const answer = await api.send({ method: "POST", url: "/v1/verify", payload, key: owner });
    return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
  };
  assert.equal(await countUntilRefused(verify), 60);
  const checked = await post("check-url", { url: "https://r.example/new" });
  assert.match(checked.body.detail, /60 checks of URLs and requests/);
});

test("an owner has ten replays and other bulk actions within a minute", async () => {
  let acts = 0;
  const actions = [
    () => post(`${WEBHOOK}/replay`, RANGE),
    () => post(`${WEBHOOK}/send-waiting`),
    () => post(`${WEBHOOK}/copy`, { resourceIds: ["map-1"] }),
    async () => {
      await post(`${WEBHOOK}/pause`);
      return await post(`${WEBHOOK}/resume`, { held: "send" });
    },
  ];
  const next = () => (actions[(acts += 1) % actions.length] ?? assert.fail())();
  assert.equal(await countUntilRefused(next), 10);
  assert.equal((await post(`${WEBHOOK}/replay`, { ...RANGE, dryRun: true })).status, 200);
});

test("a long replay counts once, however many steps it has, but no step can be taken twice for nothing", async (t) => {
  replaceActing(t, api.store, "log", () => ({
    replayStep: async (_filter, afterSeq) => ({ sent: 500, nextSeq: afterSeq + 1 }),
  }));
  const replays = [0, 1].map(() => ({ cursor: undefined as string | undefined }));
  for (let step = 0; step < 40; step += 1) {
    for (const replay of replays) {
      const { status, body } = await post(`${WEBHOOK}/replay`, { ...RANGE, ...replay });
      assert.equal(status, 200);
      replay.cursor = body.cursor;
    }
  }
  const [again] = replays;
  await post(`${WEBHOOK}/replay`, { ...RANGE, ...again });
  assert.equal(await countUntilRefused(() => post(`${WEBHOOK}/replay`, { ...RANGE, ...again })), 8);
});
