import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { beforeEach, test } from "node:test";
import { SCOPE_TEXTS } from "@markethook/protocol";
import { createTestApp, type TestApp } from "../testing/test-app.ts";

let api: TestApp;
beforeEach(async () => {
  api = await createTestApp();
  await api.store.resources.put([{ id: "map-1", ownerId: "o-1", title: "T", subtitle: "" }]);
});

const PATH = "/v1/portal-sessions";
const create = (payload: object) => api.send({ method: "POST", url: PATH, payload });
const exchange = (code: string, nonce?: string) =>
  api.app.inject({ method: "POST", url: `${PATH}/exchange`, payload: { code, nonce } });

async function newCode(payload: object = { ownerId: "o-1" }): Promise<string> {
  const url = new URL((await create(payload)).json().url);
  return new URLSearchParams(url.hash.slice(1)).get("code") ?? "";
}

test("a link carries its code in the fragment, and neither code nor token is stored", async () => {
  const answer = await create({ ownerId: "o-1", resourceId: "map-1", lifetimeSeconds: 60 });
  assert.equal(answer.statusCode, 201);
  const { id, url, expiresAt, ownerId, resourceId } = answer.json();
  assert.match(url, /^https:\/\/hooks\.example\/portal\/#code=mhc_[0-9A-Za-z]{46}$/);
  assert.equal(Date.parse(expiresAt), api.world.nowMs + 60_000);
  assert.deepEqual([ownerId, resourceId], ["o-1", "map-1"]);
  assert.equal(answer.headers["cache-control"], "no-store");
  const code = url.split("code=")[1];
  const opened = (await exchange(code)).json();
  assert.match(opened.token, /^mhs_[0-9A-Za-z]{46}$/);
  const stored = JSON.stringify(api.store.rows("portal_sessions"));
  assert.ok(!stored.includes(code) && !stored.includes(opened.token));
  assert.ok(stored.includes(id));
});

test("a code opens its session once, within five minutes", async () => {
  const code = await newCode();
  assert.equal((await exchange(code)).statusCode, 200);
  const again = await exchange(code);
  assert.deepEqual([again.statusCode, again.json().code], [404, "portal_code_invalid"]);
  const late = await newCode();
  api.world.nowMs += 300_000;
  assert.equal((await exchange(late)).statusCode, 404);
});

test("with a nonce the exchange is repeated for five minutes, and gives the same session to nobody else", async () => {
  const code = await newCode();
  const [mine, other] = ["a".repeat(32), "b".repeat(32)];
  const [first, second] = await Promise.all([exchange(code, mine), exchange(code, mine)]);
  assert.equal(first.statusCode, 200);
  assert.deepEqual(second.json(), first.json());
  assert.match(first.json().token, /^mhs_[0-9A-Za-z]{46}$/);
  for (const refused of [other, undefined]) {
    assert.equal((await exchange(code, refused)).statusCode, 404);
  }
  const headers = { authorization: `Bearer ${first.json().token}` };
  assert.equal((await api.app.inject({ url: `${PATH}/current`, headers })).statusCode, 200);
  api.world.nowMs += 300_000;
  assert.equal((await exchange(code, mine)).statusCode, 404);
});

test("what a nonce has opened is not given again once it was ended", async () => {
  const code = await newCode();
  const nonce = "a".repeat(32);
  const { token } = (await exchange(code, nonce)).json();
  const headers = { authorization: `Bearer ${token}` };
  const ended = await api.app.inject({ method: "DELETE", url: `${PATH}/current`, headers });
  assert.equal(ended.statusCode, 204);
  assert.equal((await exchange(code, nonce)).statusCode, 404);
});

test("a nonce that could be guessed is refused", async () => {
  const code = await newCode();
  for (const nonce of ["", "1234", "a".repeat(65), "a".repeat(31) + " "]) {
    assert.equal((await exchange(code, nonce)).statusCode, 422, nonce);
  }
  assert.equal((await exchange(code)).statusCode, 200);
});

test("many wrong codes from one address are told to wait, and a right one is not locked out", async () => {
  // Failures are counted by the minute, 15 s of which are over.
  api.world.nowMs += 75_000 - (api.world.nowMs % 60_000);
  for (let i = 0; i < 30; i += 1) assert.equal((await exchange("mhc_x")).statusCode, 404);
  const refused = await exchange("mhc_x");
  assert.deepEqual([refused.statusCode, refused.json().code], [429, "too_many_attempts"]);
  assert.equal(refused.headers["retry-after"], "45");
  assert.equal((await exchange(await newCode())).statusCode, 200);
  api.world.nowMs += 60_000;
  assert.equal((await exchange("mhc_x")).statusCode, 404);
});

test("a resource of another owner, an unfit address and a lifetime out of bounds are refused", async () => {
  const cases: [object, string][] = [
    [{ ownerId: "o-2", resourceId: "map-1" }, "resource_unknown"],
    [{ ownerId: "o-1", resourceId: "map-9" }, "resource_unknown"],
    [{ ownerId: "o-1", returnUrl: "javascript:alert(1)" }, "field_invalid"],
    [{ ownerId: "o-1", lifetimeSeconds: 59 }, "field_invalid"],
    [{ ownerId: "o-1", lifetimeSeconds: 86_401 }, "field_invalid"],
    [{ ownerId: "o-1", longestSeconds: 86_401 }, "field_invalid"],
    [{ ownerId: "" }, "field_invalid"],
  ];
  for (const [payload, code] of cases) assert.equal((await create(payload)).json().code, code);
});

test("a link opens the place that it was made for, which is one of ours", async () => {
  const path = "/webhooks/wh_1?tab=secret&x=%22";
  const { url } = (await create({ ownerId: "o-1", path })).json();
  const fragment = new URLSearchParams(new URL(url).hash.slice(1));
  assert.deepEqual([...fragment.keys()], ["code", "path"]);
  assert.equal(fragment.get("path"), path);
  assert.ok(url.startsWith("https://hooks.example/portal/#code="));
  for (const wrong of [
    "",
    "//evil.example",
    "/%2f%2fevil.example",
    "/\\evil.example",
    "https://evil.example/",
    "/webhooks/wh_1#code=mhc_x",
    "/webhooks/wh_1&code=mhc_x",
  ]) {
    const refused = await create({ ownerId: "o-1", path: wrong });
    const { code, errors } = refused.json();
    assert.deepEqual([refused.statusCode, code], [422, "portal_path_invalid"], wrong);
    assert.ok(JSON.stringify(refused.json()).includes("/path"), JSON.stringify(errors));
  }
});

test("a session in use is renewed until its longest time is over, and its token goes on working", async () => {
  const times = { lifetimeSeconds: 600, longestSeconds: 1500 };
  const { token } = (await exchange(await newCode({ ownerId: "o-1", ...times }))).json();
  const began = api.world.nowMs;
  const ask = (method: "GET" | "POST", url: string) => api.send({ method, url, key: token });
  const { renewableUntil } = (await ask("GET", `${PATH}/current`)).json();
  assert.equal(Date.parse(renewableUntil), began + 1_500_000);
  const ends: number[] = [];
  for (let i = 0; i < 3; i += 1) {
    api.world.nowMs += 500_000;
    if (i < 2) {
      const { expiresAt } = (await ask("POST", `${PATH}/current/renew`)).json();
      ends.push(Date.parse(expiresAt) - began);
    }
  }
  assert.deepEqual(ends, [1_100_000, 1_500_000]);
  assert.equal((await ask("POST", `${PATH}/current/renew`)).statusCode, 401);
  const key = await api.send({ method: "POST", url: `${PATH}/current/renew` });
  assert.equal(key.json().code, "not_found", "a key is no session");
});

test("current tells a session what its page needs, and a key who it is", async () => {
  const returnUrl = "https://market.example/resource/map-1";
  const { token } = (await exchange(await newCode({ ownerId: "o-1", returnUrl }))).json();
  const current = (await api.send({ method: "GET", url: `${PATH}/current`, key: token })).json();
  assert.deepEqual(
    [current.kind, current.ownerId, current.resourceId, current.returnUrl, current.store],
    ["session", "o-1", null, returnUrl, "sqlite"],
  );
  assert.equal(current.headerNames.signature, "X-Service-Signature");
  assert.ok(current.scopes.includes("secrets:read") && !current.scopes.includes("admin"));
  const key = (await api.send({ method: "GET", url: `${PATH}/current` })).json();
  assert.deepEqual([key.kind, key.ownerId, key.expiresAt], ["key", null, null]);
});

test("open sessions are listed, and one that is revoked is over within a second", async () => {
  const token = await api.makeSession("o-1");
  await api.makeSession("o-2");
  const list = async (query = "") =>
    (await api.send({ method: "GET", url: `${PATH}${query}` })).json().items;
  assert.equal((await list()).length, 2);
  const [session] = await list("?ownerId=o-1");
  const ask = () => api.send({ method: "GET", url: "/v1/webhooks", key: token });
  assert.equal((await ask()).statusCode, 200);
  const revoke = () => api.send({ method: "DELETE", url: `${PATH}/${session.id}` });
  assert.equal((await revoke()).statusCode, 204);
  assert.equal((await revoke()).statusCode, 404);
  assert.equal((await list("?ownerId=o-1")).length, 0);
  api.world.nowMs += 1000;
  assert.equal((await ask()).statusCode, 401);
});

test("a session is looked up once a second at most", async (t) => {
  const lookUp = t.mock.method(api.store.portalSessions, "findByToken");
  const token = await api.makeSession("o-1");
  const ask = () => api.send({ method: "GET", url: "/v1/webhooks", key: token });
  await Promise.all([ask(), ask(), ask()]);
  assert.equal(lookUp.mock.callCount(), 1);
});

test("a session can be made without the right to reveal secrets, or to make new ones in their place", async () => {
  const created = await api.send({
    method: "POST",
    url: "/v1/resources/map-1/webhooks",
    payload: { url: "https://receiver.example/hook", events: null },
  });
  const { id } = created.json();
  const path = `/v1/webhooks/${id}/secret`;
  const tokenOf = async (payload: object): Promise<string> =>
    (await exchange(await newCode({ ownerId: "o-1", ...payload }))).json().token;
  const statuses = async (key: string) => {
    const read = await api.send({ method: "GET", url: path, key });
    const rotate = await api.send({ method: "POST", url: `${path}/rotate`, payload: {}, key });
    const address = await api.send({ method: "GET", url: `/v1/webhooks/${id}/url`, key });
    return [read.statusCode, rotate.statusCode, address.statusCode];
  };
  const blind = await tokenOf({ revealSecrets: false });
  assert.deepEqual(await statuses(blind), [403, 403, 403]);
  const current = await api.send({ method: "GET", url: `${PATH}/current`, key: blind });
  assert.ok(!current.json().scopes.includes("secrets:read"));
  const list = await api.send({ method: "GET", url: `/v1/webhooks/${id}`, key: blind });
  assert.equal(list.statusCode, 200, "all else is as ever");
  assert.deepEqual(await statuses(await tokenOf({})), [200, 200, 200]);
  const { items } = (await api.send({ method: "GET", url: PATH })).json();
  assert.deepEqual(
    items.map(({ revealSecrets }: { revealSecrets: boolean }) => revealSecrets).sort(),
    [false, true],
  );
});

test("the scope's text says that portal:write reaches every owner's secrets", async () => {
  assert.match(SCOPE_TEXTS["portal:write"], /any owner.*secrets/);
  const document = (await api.app.inject({ method: "GET", url: "/v1/openapi.json" })).body;
  assert.ok(document.includes(SCOPE_TEXTS["portal:write"]));
});

test("the page of the API has a row for every scope, in the same words", async () => {
  const page = await readFile(
    new URL("../../../../docs/reference/api.md", import.meta.url),
    "utf8",
  );
  const section = /^## Authentication\n(.*?)^## /ms.exec(page)?.[1] ?? "";
  const rows = [...section.matchAll(/^\| `([a-z]+(?::[a-z]+)?)` +\| (.+?) +\|$/gm)];
  assert.deepEqual(Object.fromEntries(rows.map(([, scope, text]) => [scope, text])), SCOPE_TEXTS);
});
