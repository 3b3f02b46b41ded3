import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { MarkethookError, TEXT_LENGTHS, WEBHOOK_TEXTS } from "@markethook/protocol";
import { DISCORD_URL } from "../testing/chat-urls.ts";
import { createTestApp, replaceActing, type TestApp } from "../testing/test-app.ts";

let api: TestApp;
beforeEach(async () => {
  api = await createTestApp();
  for (const [id, ownerId] of [
    ["a", "o-1"],
    ["b", "o-1"],
    ["c", "o-2"],
  ] as const) {
    await api.store.resources.put([{ id, ownerId, title: "T", subtitle: "" }]);
  }
});

const URL = "https://receiver.example/hook?x=1";
const SHOWN = "https://receiver.example/…";
const post = (url: string, payload?: object) =>
  api.send({ method: "POST", url, ...(payload === undefined ? {} : { payload }) });
const get = (url: string) => api.send({ method: "GET", url });

async function create(payload: object = {}, resource = "a") {
  return post(`/v1/resources/${resource}/webhooks`, { url: URL, events: null, ...payload });
}

test("a webhook is created with its secret, and never shows it again by itself", async () => {
  const answer = await create({ description: "Mine" });
  assert.equal(answer.statusCode, 201);
  const { secret, remarks, ...webhook } = answer.json();
  assert.match(secret, /^[A-Za-z0-9]{48}$/);
  assert.deepEqual(remarks, []);
  assert.match(webhook.id, /^wh_[0-9a-z]{20}$/);
  assert.deepEqual(
    [webhook.url, webhook.host, webhook.ownerId],
    [SHOWN, "receiver.example", "o-1"],
  );
  assert.equal("no" in webhook, false);
  const read = await get(`/v1/webhooks/${webhook.id}`);
  assert.deepEqual(read.json(), webhook);
  const list = await get("/v1/resources/a/webhooks");
  assert.deepEqual(list.json(), { items: [webhook], nextCursor: null });
});

test("each text of a webhook is taken up to its own length", async () => {
  for (const name of WEBHOOK_TEXTS) {
    const longest = "x".repeat(TEXT_LENGTHS[name]);
    assert.equal((await create({ [name]: longest })).json()[name], longest);
    const refused = (await create({ [name]: `${longest}x` })).json();
    assert.deepEqual([refused.code, refused.pointer], ["field_invalid", `/${name}`]);
  }
});

test("details are sent along only to a webhook whose owner said so, and a chat keeps the choice without effect", async () => {
  const { id, includeDetails } = (await create()).json();
  assert.equal(includeDetails, false);
  const patch = (payload: object) =>
    api.send({ method: "PATCH", url: `/v1/webhooks/${id}`, payload });
  const stale = { includeDetails: true, expected: { includeDetails: true } };
  const refused = (await patch(stale)).json();
  assert.deepEqual(
    [refused.code, refused.pointer],
    ["webhook_changed", "/expected/includeDetails"],
  );
  const expected = { includeDetails: false };
  assert.equal((await patch({ includeDetails: true, expected })).json().includeDetails, true);
  assert.equal((await patch({ includeDetails: "yes" })).json().code, "field_invalid");
  const [copy] = (await post(`/v1/webhooks/${id}/copy`, { resourceIds: ["b"] })).json().results;
  assert.equal((await get(`/v1/webhooks/${copy.webhookId}`)).json().includeDetails, true);
  const listed = (await get("/v1/resources/a/webhooks")).json().items;
  assert.equal(listed[0].includeDetails, true);
  const chat = { url: DISCORD_URL, includeDetails: true };
  const made = (await create(chat, "b")).json();
  assert.deepEqual([made.format, made.includeDetails], ["discord", true]);
});

test("a URL is shown by its host, stays when it is sent back so, and is revealed on request", async () => {
  const { id, url } = (await create()).json();
  const path = `/v1/webhooks/${id}`;
  const patch = (payload: object) => api.send({ method: "PATCH", url: path, payload });
  assert.equal((await patch({ url, description: "Mine" })).json().description, "Mine");
  const revealed = await get(`${path}/url`);
  assert.deepEqual(revealed.json(), { url: URL });
  assert.equal(revealed.headers["cache-control"], "no-store");
  // Edited at its end or in its middle, it would take the place of the whole one.
  for (const other of ["https://other.example/…", `${SHOWN}x`, `${SHOWN}?shop=7`]) {
    for (const answer of [await patch({ url: other }), await create({ url: other })]) {
      assert.deepEqual(
        [answer.statusCode, answer.json().code, answer.json().pointer],
        [422, "url_invalid", "/url"],
      );
    }
    const checked = await api.send({
      method: "POST",
      url: "/v1/webhooks/check-url",
      payload: { url: other },
    });
    assert.equal(checked.json().faults[0].code, "url_invalid");
  }
  assert.deepEqual((await get(`${path}/url`)).json(), { url: URL });
});

test("the URL is judged before it is saved, at creation, change and copy", async () => {
  const { id } = (await create()).json();
  api.world.target = {
    ok: false,
    code: "target_blocked",
    sentence: "It leads to a private address.",
  };
  const created = await create();
  assert.deepEqual(
    [created.statusCode, created.json().code, created.json().pointer],
    [422, "target_blocked", "/url"],
  );
  assert.match(created.json().detail, /^It leads to a private address\./);
  const changed = await api.send({
    method: "PATCH",
    url: `/v1/webhooks/${id}`,
    payload: { url: URL },
  });
  assert.equal(changed.json().code, "target_blocked");
  const copied = await post(`/v1/webhooks/${id}/copy`, { resourceIds: ["b"] });
  assert.equal(copied.json().code, "target_blocked");
  assert.equal((await api.store.webhooks.list({ ownerId: null, limit: 10 })).length, 1);
});

test("the same address twice on one resource is worth a remark, on another resource none", async () => {
  const remarks = async (answer: Promise<{ json(): { remarks: { code: string }[] } }>) =>
    (await answer).json().remarks.map(({ code }) => code);
  assert.deepEqual(await remarks(create()), []);
  assert.deepEqual(await remarks(create()), ["same_address"]);
  assert.deepEqual(await remarks(create({}, "b")), []);
  const other = (await create({ url: "https://receiver.example/other" })).json();
  assert.deepEqual(other.remarks, []);
  const path = `/v1/webhooks/${other.id}`;
  const change = (payload: object) => api.send({ method: "PATCH", url: path, payload });
  assert.deepEqual(await remarks(change({ url: URL })), ["same_address"]);
  assert.deepEqual(await remarks(change({ description: "Mine" })), []);
  // An earlier owner's webhooks get nothing any more, and are the new owner's business no more than theirs.
  await api.store.resources.put([{ id: "a", ownerId: "o-2", title: "T", subtitle: "" }]);
  assert.deepEqual(await remarks(create()), []);
  const payload = { url: URL, resourceId: "a" };
  const check = () => api.send({ method: "POST", url: "/v1/webhooks/check-url", payload });
  assert.deepEqual(await remarks(check()), ["same_address"]);
  await api.send({ method: "DELETE", url: `/v1/webhooks/${(await ofOwner("o-2"))[0]?.id}` });
  assert.deepEqual(await remarks(check()), []);
});

const ofOwner = (ownerId: string) => api.store.webhooks.list({ ownerId, limit: 10 });

test("a webhook more on a resource with many takes no read for each of them", async (t) => {
  for (let no = 0; no < 10; no += 1) await create({ url: `https://receiver.example/${no}` });
  const reads = t.mock.method(api.store.webhooks, "revealUrl");
  assert.deepEqual((await create({ url: "https://receiver.example/more" })).json().remarks, []);
  assert.equal(reads.mock.callCount(), 1);
});

test("faults of a webhook have their codes", async (t) => {
  const faults: [object, string, string][] = [
    [{ url: "" }, "url_invalid", "/url"],
    [{ url: 5 }, "url_invalid", "/url"],
    [{ url: `https://a.example/${"x".repeat(2048)}` }, "url_invalid", "/url"],
    [{ events: [] }, "field_invalid", "/events"],
    [{ events: ["ping"] }, "field_invalid", "/events/0"],
    [{ events: ["product.update", "product.update"] }, "field_invalid", "/events"],
    [{ secret: "" }, "secret_invalid", "/secret"],
    [{ secret: "é" }, "secret_invalid", "/secret"],
    [{ secret: "whpk_c2VjcmV0" }, "secret_invalid", "/secret"],
    [{ secret: "x".repeat(256) }, "secret_invalid", "/secret"],
    [{ secret: "tab\there" }, "secret_invalid", "/secret"],
    [{ secret: "\u007f" }, "secret_invalid", "/secret"],
    [{ secret: "a\u0000" }, "text_invalid", "/secret"],
    [{ headers: {} }, "field_unknown", "/headers"],
  ];
  for (const [payload, code, pointer] of faults) {
    const answer = await create(payload);
    assert.deepEqual(
      [answer.statusCode, answer.json().code, answer.json().pointer],
      [422, code, pointer],
      JSON.stringify(payload),
    );
  }
  replaceActing(t, api.store, "webhooks", () => ({
    create: () => Promise.reject(new MarkethookError("webhook_limit_reached")),
  }));
  const full = await create();
  assert.deepEqual([full.statusCode, full.json().code], [409, "webhook_limit_reached"]);
});

test("an imported secret is taken as it is, from the marketplace's key", async () => {
  const answer = await create({ secret: "old secret!" });
  assert.equal(answer.json().secret, "old secret!");
  assert.equal(answer.json().standardSignature, false);
});

test("acting for an owner, foreign resources and webhooks are absent", async () => {
  const foreign = (await create({}, "c")).json();
  const absent = await post("/v1/resources/zzz/webhooks", { url: URL, events: null });
  const other = await post("/v1/resources/c/webhooks?ownerId=o-1", { url: URL, events: null });
  for (const answer of [absent, other]) {
    assert.deepEqual([answer.statusCode, answer.json().code], [404, "resource_unknown"]);
  }
  const paths = ["", "/secret", "/deliveries"].map(
    (path) => `/v1/webhooks/${foreign.id}${path}?ownerId=o-1`,
  );
  for (const url of paths) assert.equal((await get(url)).json().code, "not_found", url);
  for (const action of ["ping", "pause", "secret/rotate", "secret/switch"]) {
    const answer = await post(`/v1/webhooks/${foreign.id}/${action}?ownerId=o-1`);
    assert.equal(answer.json().code, "not_found", action);
  }
  assert.equal((await get("/v1/resources/c/webhooks?ownerId=o-1")).json().code, "resource_unknown");
  assert.equal((await get("/v1/webhooks?ownerId=o-1")).json().items.length, 0);
  assert.equal((await get("/v1/webhooks?ownerId=o-2")).json().items.length, 1);
});

test("a change touches what it names only", async () => {
  const { id } = (await create({ description: "Mine", events: ["product.update"] })).json();
  const patch = (payload: object) =>
    api.send({ method: "PATCH", url: `/v1/webhooks/${id}`, payload });
  const changed = (await patch({ description: "" })).json();
  assert.deepEqual([changed.description, changed.events], ["", ["product.update"]]);
  assert.equal((await patch({ events: null })).json().events, null);
  const moved = (await patch({ url: "https://other.example/" })).json();
  assert.deepEqual([moved.url, moved.remarks], ["https://other.example/", []]);
  assert.equal((await patch({ state: "active" })).json().code, "field_unknown");
});

test("a deleted webhook is gone", async () => {
  const { id } = (await create()).json();
  const answer = await api.send({ method: "DELETE", url: `/v1/webhooks/${id}` });
  assert.deepEqual([answer.statusCode, answer.body], [204, ""]);
  assert.equal((await get(`/v1/webhooks/${id}`)).json().code, "not_found");
});

test("a copy goes to resources of the same owner, each with a secret of its own", async () => {
  const source = (await create({ events: ["product.update"], description: "Mine" })).json();
  const answer = await post(`/v1/webhooks/${source.id}/copy`, { resourceIds: ["b", "c", "zzz"] });
  assert.equal(answer.statusCode, 200);
  const [copied, foreign, absent] = answer.json().results;
  assert.equal(copied.status, "created");
  assert.notEqual(copied.secret, source.secret);
  const copy = (await get(`/v1/webhooks/${copied.webhookId}`)).json();
  assert.deepEqual([copy.resourceId, copy.url, copy.events], ["b", SHOWN, ["product.update"]]);
  assert.deepEqual([foreign.status, foreign.code], ["rejected", "resource_unknown"]);
  assert.deepEqual({ ...foreign, resourceId: "" }, { ...absent, resourceId: "" });
});

test("the list of all webhooks goes on where it stopped", async () => {
  for (const resource of ["a", "b", "c"]) await create({}, resource);
  const first = (await get("/v1/webhooks?limit=2")).json();
  const second = (await get(`/v1/webhooks?limit=2&cursor=${first.nextCursor}`)).json();
  const resources = [...first.items, ...second.items].map(
    (item: { resourceId: string }) => item.resourceId,
  );
  assert.deepEqual(resources, ["c", "b", "a"]);
  assert.equal(second.nextCursor, null);
  const narrowed = await get(`/v1/webhooks?resourceId=a&cursor=${first.nextCursor}`);
  assert.equal(narrowed.json().code, "cursor_invalid");
});
