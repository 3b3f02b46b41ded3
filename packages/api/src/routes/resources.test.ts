import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { createTestApp, type TestApp } from "../testing/test-app.ts";

let api: TestApp;
beforeEach(async () => {
  api = await createTestApp();
});

const RESOURCE = { title: "Castle", subtitle: "A map", ownerId: "o-1" };
const VERSION = { version: "1.0", id: "u1", time: 5, size: 1024, fileType: "zip" };

const put = (id: string, payload: object) =>
  api.send({ method: "PUT", url: `/v1/resources/${id}`, payload });
const get = (url: string) => api.send({ method: "GET", url });

test("a resource is created, replaced, read and deleted", async () => {
  const created = await put("map-1", { ...RESOURCE, fileVersion: VERSION });
  assert.deepEqual([created.statusCode, created.json()], [201, { id: "map-1", status: "created" }]);
  const updated = await put("map-1", { title: "Fortress", ownerId: "o-1" });
  assert.deepEqual([updated.statusCode, updated.json().status], [200, "updated"]);
  assert.deepEqual((await get("/v1/resources/map-1")).json(), {
    id: "map-1",
    ownerId: "o-1",
    title: "Fortress",
    subtitle: "A map",
    url: "https://market.example/resource/map-1",
    fileVersion: {
      version: "1.0",
      id: "u1",
      time: 5,
      size: "1024",
      fileType: "zip",
      branch: "release",
    },
    createdAt: "2026-01-02T03:04:05.678Z",
    updatedAt: "2026-01-02T03:04:05.678Z",
  });
  const deleted = await api.send({ method: "DELETE", url: "/v1/resources/map-1" });
  assert.deepEqual([deleted.statusCode, deleted.body], [204, ""]);
  const again = await api.send({ method: "DELETE", url: "/v1/resources/map-1" });
  assert.equal(again.json().code, "not_found");
});

test("many are put at once, all or none", async () => {
  const items = Array.from({ length: 1000 }, (_, i) => ({ id: `r-${i}`, ...RESOURCE }));
  const good = await api.send({ method: "PUT", url: "/v1/resources", payload: { items } });
  assert.equal(good.statusCode, 200);
  assert.deepEqual(good.json().results[999], { id: "r-999", status: "created" });

  const faulty = [
    { id: "n-0", ...RESOURCE },
    { id: "n 1", ...RESOURCE },
  ];
  const bad = await api.send({ method: "PUT", url: "/v1/resources", payload: { items: faulty } });
  assert.deepEqual(
    [bad.statusCode, bad.json().code, bad.json().pointer],
    [422, "resource_id_invalid", "/items/1/id"],
  );
  assert.equal(await api.store.resources.find("n-0"), null);

  const twice = [
    { id: "n-0", ...RESOURCE },
    { id: "n-0", ...RESOURCE, title: "Other" },
  ];
  const repeated = await api.send({
    method: "PUT",
    url: "/v1/resources",
    payload: { items: twice },
  });
  assert.equal(repeated.json().pointer, "/items/1/id");

  const many = [...items, { id: "more", ...RESOURCE }];
  const over = await api.send({ method: "PUT", url: "/v1/resources", payload: { items: many } });
  assert.equal(over.json().code, "batch_too_large");
});

test("faults are pointed to", async () => {
  const faults: [object, string, string][] = [
    [{ ...RESOURCE, title: "" }, "field_invalid", "/title"],
    [{ ...RESOURCE, title: null }, "field_invalid", "/title"],
    [{ ownerId: "o" }, "field_invalid", "/title"],
    [{ ...RESOURCE, ownerId: "x".repeat(129) }, "field_invalid", "/ownerId"],
    [{ ...RESOURCE, subtitle: "x".repeat(1001) }, "field_invalid", "/subtitle"],
    [{ ...RESOURCE, tags: [] }, "field_unknown", "/tags"],
    [{ ...RESOURCE, fileVersion: { ...VERSION, time: -1 } }, "field_invalid", "/fileVersion/time"],
  ];
  for (const [payload, code, pointer] of faults) {
    const answer = await put("map-1", payload);
    assert.deepEqual(
      [answer.statusCode, answer.json().code, answer.json().pointer],
      [422, code, pointer],
    );
  }
  assert.equal((await put("a+b", RESOURCE)).json().code, "resource_id_invalid");
  assert.equal((await get("/v1/resources/a+b")).json().code, "not_found");
});

const PREVIOUS = { version: "1.0", id: "..u~1", time: 5, size: "4", fileType: "zip" };

test("an id is 1 to 128 of the characters that an address keeps as they are", async () => {
  for (const id of [
    "castle.v2",
    "~jo-9_",
    "...",
    ".a",
    "..a",
    "-",
    ...["", ".", ".."].map((dots) => dots.padEnd(128, "x")),
  ]) {
    assert.equal((await put(id, RESOURCE)).json().status, "created", id);
    assert.equal((await get(`/v1/resources/${id}`)).json().id, id);
    const encoded = [...id].map((c) => `%${c.charCodeAt(0).toString(16)}`).join("");
    assert.equal((await get(`/v1/resources/${encoded}`)).json().id, id);
    const update = { ...PREVIOUS, id, title: "New", description: "" };
    const event = { event: "product.update", update, previous: PREVIOUS };
    const url = `/v1/resources/${id}/events`;
    const reported = await api.send({ method: "POST", url, payload: event });
    assert.equal(reported.statusCode, 202, reported.body);
    const audited = await get(`/v1/audit?subjectId=${id}`);
    assert.equal(audited.statusCode, 200, audited.body);
  }
  for (const id of [
    ".",
    "..",
    "",
    "a/b",
    "a b",
    "a:b",
    "é",
    "a\n",
    ...["", ".", ".."].map((dots) => dots.padEnd(129, "x")),
  ]) {
    const items = [{ id, ...RESOURCE }];
    const answer = await api.send({ method: "PUT", url: "/v1/resources", payload: { items } });
    assert.equal(answer.json().code, "resource_id_invalid", id);
    const inPath = await put(encodeURIComponent(id), RESOURCE);
    assert.ok([404, 405, 422].includes(inPath.statusCode), id);
    const event = {
      event: "product.update",
      update: { ...PREVIOUS, id, title: "", description: "" },
    };
    const url = "/v1/resources/map-1/events";
    const refused = await api.send({ method: "POST", url, payload: event });
    assert.deepEqual([refused.statusCode, refused.json().pointer], [422, "/update/id"], id);
  }
});

test("the list goes on where it stopped, for one owner or for all", async () => {
  for (const [i, ownerId] of ["o-1", "o-2", "o-1", "o-1"].entries()) {
    await put(`map-${i}`, { title: "T", ownerId });
  }
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? "" : `&cursor=${cursor}`;
    const page = (await get(`/v1/resources?ownerId=o-1&limit=2${next}`)).json();
    seen.push(...page.items.map((item: { id: string }) => item.id));
    cursor = page.nextCursor;
  } while (cursor !== null);
  assert.deepEqual(seen, ["map-0", "map-2", "map-3"]);

  const first = (await get("/v1/resources?limit=2")).json();
  const other = await get(`/v1/resources?ownerId=o-1&cursor=${first.nextCursor}`);
  assert.deepEqual([other.statusCode, other.json().code], [400, "cursor_invalid"]);
  const foreign = await get("/v1/resources/map-0?ownerId=o-2");
  assert.equal(foreign.json().code, "not_found");
});
