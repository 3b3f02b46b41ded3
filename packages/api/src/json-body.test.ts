import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { before, test } from "node:test";
import { createTestApp, type TestApp } from "./testing/test-app.ts";

let api: TestApp;
before(async () => {
  api = await createTestApp();
});

async function put(payload: string | Buffer, headers: Record<string, string> = {}) {
  const answer = await api.send({
    method: "PUT",
    url: "/v1/resources/map-1",
    payload,
    headers: { authorization: `Bearer ${api.key}`, "content-type": "application/json", ...headers },
  });
  return { status: answer.statusCode, code: answer.json().code, body: answer.json() };
}

const GOOD = '{"title":"T","ownerId":"o"}';

test("JSON in UTF-8 is read, whatever the header's letters", async () => {
  for (const type of [
    "application/json",
    "Application/JSON; charset=UTF-8",
    'application/json;charset="utf-8"',
  ]) {
    assert.equal((await put(GOOD, { "content-type": type })).code, undefined, type);
  }
});

test("what is not JSON is told apart from what is not UTF-8, and is not repeated", async () => {
  for (const text of ["{", "{'a':1}", '{"a":NaN}', `${GOOD}x`, "\u{feff}" + GOOD, '{"a":"\n"}']) {
    const { status, code, body } = await put(text);
    assert.deepEqual([status, code], [400, "json_invalid"], text);
    assert.ok(!body.detail.includes("NaN"));
  }
  const latin = await put(Buffer.from('{"title":"\xe9","ownerId":"o"}', "latin1"));
  assert.deepEqual([latin.status, latin.code], [400, "json_invalid"]);
  assert.match(latin.body.detail, /not UTF-8/);
});

test("an empty body is missing, and null is a body of the wrong type", async () => {
  assert.equal((await put("")).code, "body_missing");
  assert.equal((await put("null")).code, "field_invalid");
  const none = await api.send({ method: "PUT", url: "/v1/resources/map-1" });
  assert.equal(none.json().code, "body_missing");
});

test("another type, another charset and compression are refused", async () => {
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/jsonx",
    "nonsense",
    "application/json; charset=latin1",
  ]) {
    const { status, code } = await put(GOOD, { "content-type": type });
    assert.deepEqual([status, code], [415, "content_type_unsupported"], type);
  }
  const zipped = await put(gzipSync(GOOD), { "content-encoding": "gzip" });
  assert.deepEqual([zipped.status, zipped.code], [415, "encoding_unsupported"]);
  assert.equal((await put(GOOD, { "content-encoding": "identity" })).code, undefined);
});

test("a body above the limit is refused unread", async () => {
  const { status, code } = await put(JSON.stringify({ title: "x".repeat(400_000), ownerId: "o" }));
  assert.deepEqual([status, code], [413, "body_too_large"]);
});

test("texts that databases choke on are refused with their place", async () => {
  const nul = await put(String.raw`{"title":"a\u0000","ownerId":"o"}`);
  assert.deepEqual([nul.status, nul.code, nul.body.pointer], [422, "text_invalid", "/title"]);
  const half = await put(String.raw`{"title":"\ud83d","ownerId":"o"}`);
  assert.deepEqual([half.status, half.code], [422, "text_invalid"]);
  assert.equal((await put(String.raw`{"title":"\ud83d\ude00","ownerId":"o"}`)).status, 200);
});

test("names of prototypes are refused, however they are spelt", async () => {
  const plain = await put('{"title":"T","ownerId":"o","__proto__":{"a":1}}');
  assert.deepEqual([plain.status, plain.code], [422, "field_unknown"]);
  const escaped = await put(String.raw`{"title":"T","ownerId":"o","__\u0070roto__":{"a":1}}`);
  assert.deepEqual([escaped.status, escaped.code], [422, "field_unknown"]);
  assert.equal(Object.hasOwn(Object.prototype, "a"), false);
});

test("deep nesting is malformed JSON here", async () => {
  const deep = `{"title":${"[".repeat(1000)}${"]".repeat(1000)},"ownerId":"o"}`;
  const { status, code } = await put(deep);
  assert.deepEqual([status, code], [400, "json_invalid"]);
});
