import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { MissingFilter, ReplayFilter, WaitingCursor } from "@markethook/store";
import { createTestApp, replaceActing, START_MS, type TestApp } from "../testing/test-app.ts";

let api: TestApp;
let id: string;
let base: string;
beforeEach(async () => {
  api = await createTestApp();
  await api.store.resources.put([{ id: "a", ownerId: "o-1", title: "T", subtitle: "" }]);
  const made = await post("/v1/resources/a/webhooks", { url: "https://r.example/", events: null });
  id = made.json().id;
  base = `/v1/webhooks/${id}`;
});

const post = (url: string, payload?: object) =>
  api.send({ method: "POST", url, ...(payload === undefined ? {} : { payload }) });

test("a ping is answered on the spot with the request, the answer and a sentence", async () => {
  const answer = await post(`${base}/ping`);
  assert.equal(answer.statusCode, 200);
  const { outcome, sentence, timings, request, response } = answer.json();
  assert.deepEqual([outcome, sentence], ["delivered", "The receiver answered 200."]);
  assert.deepEqual(timings, { dnsMs: 1, connectMs: 2, tlsMs: null, firstByteMs: 3.5, totalMs: 4 });
  assert.deepEqual(request.headers[0], ["Host", "receiver.example"]);
  assert.deepEqual(response, { status: 200, headers: [["server", "test"]], body: "ok" });
});

test("a ping can be signed with the secret that is being rotated in, if there is one", async () => {
  const none = await post(`${base}/ping`, { secret: "next" });
  assert.deepEqual([none.statusCode, none.json().code], [409, "rotation_not_open"]);
  await post(`${base}/secret/rotate`);
  assert.equal((await post(`${base}/ping`, { secret: "next" })).statusCode, 200);
  assert.deepEqual(api.world.pings, [{ webhookId: id, secret: "next" }]);
  assert.equal((await post(`${base}/ping`, { secret: "old" })).json().pointer, "/secret");
});

test("a sample is of one of the events, for a buyer, and may be shown without being sent", async () => {
  const sent = await post(`${base}/sample`, { event: "product.user.purchase", userId: 7 });
  assert.equal(sent.statusCode, 200);
  assert.equal(sent.json().sentence, "The receiver had a product.user.purchase.");
  const shown = await post(`${base}/sample`, { event: "product.update", dryRun: true });
  assert.equal(shown.json().sent, false);
  for (const [payload, pointer] of [
    [{ event: "ping" }, "/event"],
    [{ event: "product.user.purchase", userId: 0 }, "/userId"],
    [{}, "/event"],
  ] as const) {
    const answer = await post(`${base}/sample`, payload);
    assert.deepEqual([answer.statusCode, answer.json().pointer], [422, pointer]);
  }
});

test("a check-up is answered with its verdict and what each request came to", async () => {
  const answer = await post(`${base}/checkup`);
  assert.equal(answer.statusCode, 200);
  const { verdict, probes, ping } = answer.json();
  assert.deepEqual(
    [verdict, probes.length, probes[0].finding, ping.outcome],
    ["accepts_forgeries", 1, "wrong", "delivered"],
  );
  assert.equal((await post("/v1/webhooks/wh_aaaaaaaaaaaaaaaaaaaa/checkup")).statusCode, 404);
});

test("one owner has as many check-ups within a minute as the setting says", async () => {
  api = await createTestApp({
    ownerLimits: { pings: 0, sends: 0, checkups: 3, urlChecks: 0, bulkActions: 0, changes: 0 },
  });
  await api.store.resources.put([{ id: "a", ownerId: "o-1", title: "T", subtitle: "" }]);
  const made = await post("/v1/resources/a/webhooks", { url: "https://r.example/", events: null });
  base = `/v1/webhooks/${made.json().id}`;
  const check = async () => await post(`${base}/checkup?ownerId=o-1`);
  for (let count = 0; count < 3; count += 1) assert.equal((await check()).statusCode, 200);
  const refused = await check();
  assert.deepEqual([refused.statusCode, refused.json().code], [429, "owner_limit_reached"]);
  assert.match(refused.json().detail, /3 check-ups/);
});

test("a paused webhook holds, a resumed one sends or drops and the dispatcher is woken", async () => {
  assert.equal((await post(`${base}/pause`)).json().state, "paused");
  assert.equal(api.world.wakes, 0);
  const resumed = await post(`${base}/resume`, { held: "drop" });
  assert.deepEqual([resumed.json().state, resumed.json().dropping], ["paused", true]);
  assert.equal(api.world.wakes, 1);
  await api.store.deliveries.cancelMarked(1);
  const { state, dropping } = await api.store.webhooks.get(id, null);
  assert.deepEqual([state, dropping], ["active", false]);
  assert.equal((await post(`${base}/resume`)).json().code, "body_missing");
  assert.equal((await post(`${base}/resume`, {})).json().pointer, "/held");
});

test("one that is not active says how many deliveries it holds, and an active one or a list does not", async () => {
  const held = async () => (await api.send({ method: "GET", url: base })).json().held;
  assert.equal(await held(), undefined);
  assert.deepEqual((await post(`${base}/pause`)).json().held, { count: 0, capped: false });
  for (const user of [1, 2]) {
    const event = { event: "product.user.purchase", user: { id: user } };
    assert.equal((await post("/v1/resources/a/events", event)).statusCode, 202);
  }
  assert.deepEqual(await held(), { count: 2, capped: false });
  const list = await api.send({ method: "GET", url: "/v1/webhooks" });
  assert.deepEqual(
    list.json().items.map((one: { held?: object }) => one.held),
    [undefined],
  );
  assert.equal((await post(`${base}/resume`, { held: "send" })).json().held, undefined);
});

test("a webhook that lost its resource to another owner stays disabled", async () => {
  await api.store.resources.put([{ id: "a", ownerId: "o-2", title: "T", subtitle: "" }]);
  assert.equal((await api.store.webhooks.get(id, null)).disabledReason, "owner_changed");
  const answer = await post(`${base}/resume`, { held: "send" });
  assert.deepEqual([answer.statusCode, answer.json().code], [409, "webhook_not_active"]);
  assert.equal(api.world.wakes, 0);
});

const RANGE = { from: 1_700_000_000, to: 1_800_000_000 };

test("a replay counts first, and sends nothing meanwhile", async (t) => {
  t.mock.method(api.store.log, "countReplay", async () => ({ count: 100_000, capped: true }));
  const answer = await post(`${base}/replay`, { ...RANGE, dryRun: true });
  assert.deepEqual(answer.json(), { count: 100_000, capped: true });
  assert.equal(api.world.wakes, 0);
});

test("a replay goes step by step, over the failed ones by default, and never over its own", async (t) => {
  const steps: [ReplayFilter, number, number][] = [];
  replaceActing(t, api.store, "log", () => ({
    replayStep: async (filter, afterSeq, limit) => {
      steps.push([filter, afterSeq, limit]);
      return steps.length === 1 ? { sent: 500, nextSeq: 900 } : { sent: 3, nextSeq: null };
    },
  }));
  const first = (await post(`${base}/replay`, RANGE)).json();
  assert.equal(first.sent, 500);
  api.world.nowMs += 60_000;
  const second = (await post(`${base}/replay`, { ...RANGE, cursor: first.cursor })).json();
  assert.deepEqual(second, { sent: 3, cursor: null });
  const filter = {
    webhookId: id,
    ownerId: null,
    from: RANGE.from * 1000,
    // The end of the range is still ahead: both steps stop where the first one began.
    to: START_MS,
    states: ["dead"],
  };
  assert.deepEqual(steps, [
    [filter, 0, 500],
    [filter, 900, 500],
  ]);
  assert.equal(api.world.wakes, 2);
});

test("a replay's cursor is good for the same replay only", async (t) => {
  replaceActing(t, api.store, "log", () => ({
    replayStep: async () => ({ sent: 500, nextSeq: 900 }),
  }));
  const { cursor } = (await post(`${base}/replay`, RANGE)).json();
  for (const change of [{ states: ["delivered"] }, { from: 5 }, { events: ["product.update"] }]) {
    const answer = await post(`${base}/replay`, { ...RANGE, ...change, cursor });
    assert.deepEqual([answer.statusCode, answer.json().code], [400, "cursor_invalid"]);
  }
});

test("faults of a replay have their codes", async () => {
  const faults: [object, string, string][] = [
    [{ from: 5 }, "field_invalid", "/to"],
    [{ from: 5, to: 5 }, "field_invalid", "/to"],
    [{ ...RANGE, states: ["pending"] }, "field_invalid", "/states/0"],
    [{ ...RANGE, states: [] }, "field_invalid", "/states"],
    [{ ...RANGE, limit: 5 }, "field_unknown", "/limit"],
  ];
  for (const [payload, code, pointer] of faults) {
    const answer = await post(`${base}/replay`, payload);
    assert.deepEqual([answer.json().code, answer.json().pointer], [code, pointer]);
  }
  const absent = await post("/v1/webhooks/wh_00000000000000000000/replay", RANGE);
  assert.equal(absent.json().code, "not_found");
});

test("all that waits is counted, then made due step by step, and the dispatcher is woken", async (t) => {
  const counted = { count: 501, capped: false, sending: 3 };
  t.mock.method(api.store.log, "countWaiting", async () => counted);
  const steps: [string, string | null, WaitingCursor | null, number][] = [];
  replaceActing(t, api.store, "log", () => ({
    sendWaitingStep: async (...asked) => {
      steps.push(asked);
      const next = { beganAt: 5, dueAt: 6, seq: 900 };
      return steps.length === 1 ? { sent: 500, next } : { sent: 1, next: null };
    },
  }));
  const url = `${base}/send-waiting`;
  assert.deepEqual((await post(url, { dryRun: true })).json(), counted);
  assert.equal(api.world.wakes, 0);
  const first = (await post(url)).json();
  assert.equal(first.sent, 500);
  const second = (await post(url, { cursor: first.cursor })).json();
  assert.deepEqual(second, { sent: 1, cursor: null });
  assert.deepEqual(steps, [
    [id, null, null, 500],
    [id, null, { beganAt: 5, dueAt: 6, seq: 900 }, 500],
  ]);
  assert.equal(api.world.wakes, 2);
  const foreign = await post(`${url}?ownerId=o-1`, { cursor: first.cursor });
  assert.equal(foreign.json().code, "cursor_invalid");
});

test("what was made due is stopped in bounded steps, and the answer says whether there is more", async (t) => {
  const left = [499, 2];
  const asked: [string, string | null, number][] = [];
  replaceActing(t, api.store, "log", () => ({
    stopWaitingStep: async (...step) => {
      asked.push(step);
      const stopped = left.shift() ?? 500;
      return { stopped, more: asked.length !== 2 };
    },
  }));
  const url = `${base}/stop-waiting`;
  assert.deepEqual((await post(url)).json(), { stopped: 501, more: false });
  assert.deepEqual(asked, [
    [id, null, 500],
    [id, null, 500],
  ]);
  assert.deepEqual((await post(url)).json(), { stopped: 5000, more: true });
});

test("a replay of what is missing counts first, then makes it step by step, as far back as the log goes", async (t) => {
  const counted = { count: 3, outOfOrder: 1, capped: false };
  const asked: [MissingFilter, number?][] = [];
  t.mock.method(api.store.log, "countMissing", async (filter: MissingFilter) => {
    asked.push([filter]);
    return counted;
  });
  replaceActing(t, api.store, "log", () => ({
    missingStep: async (filter, afterSeq) => {
      asked.push([filter, afterSeq]);
      return asked.length === 2 ? { sent: 500, nextSeq: 900 } : { sent: 0, nextSeq: null };
    },
  }));
  const url = `${base}/replay`;
  const range = { ...RANGE, from: 5, include: "missing" };
  assert.deepEqual((await post(url, { ...range, dryRun: true })).json(), counted);
  assert.equal(api.world.wakes, 0);
  const first = (await post(url, range)).json();
  assert.equal(first.sent, 500);
  const second = await post(url, { ...range, cursor: first.cursor });
  assert.deepEqual(second.json(), { sent: 0, cursor: null });
  const from = START_MS - api.deps.retentionMs;
  const filter = { webhookId: id, ownerId: null, from, to: START_MS, confirmed: false };
  assert.deepEqual(asked, [[filter], [filter, 0], [filter, 900]]);
  assert.equal(api.world.wakes, 1);
  const other = await post(url, { ...range, confirm: true, cursor: first.cursor });
  assert.equal(other.json().code, "cursor_invalid");
  const states = await post(url, { ...range, states: ["dead"] });
  assert.deepEqual([states.json().code, states.json().pointer], ["field_invalid", "/states"]);
});
